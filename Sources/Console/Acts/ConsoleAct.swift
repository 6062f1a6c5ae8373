import LedgerServer

/// Something that a person can do in the console, declared once.
///
/// Its routes, who may do it, its name in the audit, its words and the fields of its forms follow from here.
struct ConsoleAct: Sendable {
    /// What the audit calls it.
    let audited: AuditAct
    /// Where its forms are sent, below `/console`; empty: no form does it.
    let paths: [String]
    /// Nil: everybody who is signed in.
    let right: Right?
    /// What the pages call it.
    let words: Words
    /// What a page says when it is done; nil: it shows more than a notice.
    let done: Words?
    /// What it says in other cases, by a name of the case.
    let others: KeyValuePairs<String, Words>
    /// What its forms ask for, besides what all of them carry.
    let fields: [ConsoleField]
    /// Whether a second person has to approve it above a limit.
    let isLimited: Bool

    /// A text in both languages.
    struct Words: Sendable {
        let english: String
        let korean: String

        init(_ english: String, _ korean: String) {
            self.english = english
            self.korean = korean
        }
    }

    init(
        _ audited: AuditAct, _ paths: String..., right: Right?, _ words: Words, done: Words? = nil,
        others: KeyValuePairs<String, Words> = [:], fields: [ConsoleField] = [], isLimited: Bool = false
    ) {
        self.audited = audited
        self.paths = paths
        self.right = right
        self.words = words
        self.done = done
        self.others = others
        self.fields = fields
        self.isLimited = isLimited
    }

    /// All of them, in the order of ``AuditAct``.
    static let all: [ConsoleAct] = AuditAct.allCases.flatMap { act in declared.filter { $0.audited == act } }

    private static let declared =
        ofVisits + ofCustomers + ofCampaigns + ofApprovals + ofFindings + ofBooks + ofMoney + ofAdjustments + ofProducts
        + ofEndpoints
}

extension ConsoleAct {
    /// Its name in the audit.
    var name: String { audited.rawValue }

    /// The key of the notice that says that it is done.
    ///
    /// - Parameter other: the case, if it is one of the others.
    func notice(_ other: String? = nil) -> String { Self.notice(of: audited) + (other.map { "_\($0)" } ?? "") }

    /// The key of the notice that says that an act is done.
    static func notice(of act: AuditAct) -> String { "notice_\(act.rawValue)" }

    /// The key of what the audit calls it.
    static func text(of name: String) -> String { "act_\(name)" }

    /// The texts of all acts.
    static let texts: [ConsoleText] = all.flatMap { act in
        var texts = [ConsoleText(text(of: act.name), act.words.english, act.words.korean)]
        if let done = act.done { texts.append(ConsoleText(act.notice(), done.english, done.korean)) }
        return texts + act.others.map { ConsoleText(act.notice($0.key), $0.value.english, $0.value.korean) }
    }

    /// Where a form of the act is sent, for a template that has the parts of the path.
    ///
    /// - Parameter number: which of the act's paths.
    func action(_ number: Int = 0) -> String {
        "/console/" + paths[number].replacing("{", with: "{{").replacing("}", with: "}}")
    }

    /// A form of the act, for a template.
    ///
    /// - Parameters:
    ///   - button: the key of its button's text.
    ///   - ids: ids of fields; by default the name of each.
    ///   - once: as in ``FormPart/hidden(_:)``.
    ///   - isFirst: whether the button is the page's first.
    func form(
        _ button: String, ids: [String: String] = [:], once: String = "once", to action: String? = nil,
        isFirst: Bool = true
    ) -> String {
        """
        <form class="act" method="post" action="\(action ?? self.action())">\(FormPart.hidden(once))
        \(fields.html(ids))
        <div><button\(isFirst ? " class=\"first\"" : "")>{{t.\(button)}}</button></div></form>
        """
    }
}

/// A field of a form.
struct ConsoleField: Sendable {
    let name: String
    /// The key of its label's text; nil: the page writes the field.
    let label: String?
    /// The rest of the element.
    private let attributes: String

    private init(_ name: String, _ label: String?, _ attributes: String = "") {
        self.name = name
        self.label = label
        self.attributes = attributes
    }

    /// The required reason of an act.
    static let reason = reason("reason")

    static func reason(_ label: String) -> ConsoleField {
        ConsoleField("reason", label, #"required maxlength="256" autocomplete="off""#)
    }

    /// A text of at most 256 characters.
    static func text(_ name: String, _ label: String, isRequired: Bool = true) -> ConsoleField {
        ConsoleField(name, label, (isRequired ? "required " : "") + #"maxlength="256" autocomplete="off""#)
    }

    /// A text that can be empty, of any length.
    static func list(_ name: String, _ label: String) -> ConsoleField {
        ConsoleField(name, label, #"autocomplete="off""#)
    }

    static func day(_ name: String, _ label: String, isRequired: Bool = true) -> ConsoleField {
        ConsoleField(name, label, #"type="date""# + (isRequired ? " required" : ""))
    }

    /// A field that the page writes, or fills in.
    static func own(_ name: String) -> ConsoleField { ConsoleField(name, nil) }

    func html(_ id: String) -> String {
        guard let label else { return #"<input type="hidden" name="\#(name)" value="{{\#(name)}}">"# }
        return """
            <div class="field"><label for="\(id)">{{t.\(label)}}</label>
            <input id="\(id)" name="\(name)" \(attributes)></div>
            """
    }
}

extension [ConsoleField] {
    /// The fields, each with its id; by default its name.
    func html(_ ids: [String: String] = [:]) -> String {
        map { $0.html(ids[$0.name] ?? $0.name) }.joined(separator: "\n")
    }
}
