import Ledger
import LedgerServer
import LedgerWire
import WireFormats

/// What the console says of the proposals of one act: the only place with the words for its stored members.
///
/// A new ``PersonOrder`` gets one, which a test asks for.
struct ProposalDescriber: Sendable {
    let act: AuditAct
    /// What is proposed, such as *Refund of a purchase*.
    let title: ConsoleAct.Words
    /// The act as both buttons name it: *Ask for approval: refund*, *Approve: refund*; the page may add how much.
    let button: ConsoleAct.Words
    /// What the act is carried out with (`parameters`).
    let asked: [ProposalField]
    /// What the proposer saw (`seen`).
    let seen: [ProposalField]
    /// What the act made (`outcome`).
    let made: [ProposalField]
    /// What the second person has to see of the object: values of ``ProposalObject/template``.
    let object: @Sendable (ProposalObject) async throws -> [String: Any]

    /// - Parameters:
    ///   - seen: what the proposer saw besides the customer's balance.
    ///   - made: what the act made, unless it was refused.
    init<Order: PersonOrder>(
        _: Order.Type, title: ConsoleAct.Words, button: ConsoleAct.Words, asked: [ProposalField],
        seen: [ProposalField] = [], made: [ProposalField],
        object: @escaping @Sendable (ProposalObject, Order) async throws -> [String: Any]
    ) {
        act = Order.act
        self.title = title
        self.button = button
        self.asked = asked
        self.seen = seen + Self.balance
        self.made = made + [Self.refusal]
        self.object = { proposal in
            guard let order = proposal.review.order as? Order else { return [:] }
            return try await object(proposal, order)
        }
    }

    static let balance = [
        ProposalField("paid", "Paid coins of the customer", "고객의 유료 코인"),
        ProposalField("bonus", "Bonus coins of the customer", "고객의 보너스 코인"),
        ProposalField("held", "Coins on hold", "보류 중인 코인"),
        ProposalField("debt", "Coins that the customer owes", "미회수 코인"),
    ]
    private static let refusal = ProposalField("code", "Refused because", "거절 사유", .problem)

    /// The describer of an act; nil: the act is never proposed.
    static func of(_ act: String) -> ProposalDescriber? { all.first { $0.act.rawValue == act } }

    /// The texts of all.
    static let texts: [ConsoleText] = all.flatMap { describer in
        let (act, button) = (describer.act.rawValue, describer.button)
        return [
            ConsoleText("proposal_\(act)", describer.title.english, describer.title.korean),
            ConsoleText(
                "proposalRequest_\(act)", "Ask for approval: \(button.english)", "\(button.korean) 승인 요청"),
            ConsoleText("proposalApprove_\(act)", "Approve: \(button.english)", "\(button.korean) 승인"),
        ]
    }
}

/// A stored member of a proposal, in words.
struct ProposalField: Sendable {
    /// Its name in the stored object.
    let name: String
    let words: ConsoleAct.Words
    let format: Format

    /// How its value is shown.
    enum Format: Sendable {
        /// An amount, in the currency of the same object. If that has `foreign_` and the name, too, both are shown.
        case money
        /// A number of coins.
        case coins
        /// The name of a record.
        case id
        /// The names of several records.
        case ids
        /// Yes or no.
        case flag
        /// The status of a refund.
        case refundStatus
        /// A code of a problem, as a sentence.
        case problem
        /// A text that a person wrote, or a number that names nothing.
        case text
        /// A stored word, by the first of these beginnings of keys that has a text for it.
        case word([String])
        /// It is part of another field, and has none of its own.
        case hidden
    }

    /// - Parameter format: coins, as most are.
    init(_ name: String, _ english: String, _ korean: String, _ format: Format = .coins) {
        self.name = name
        words = ConsoleAct.Words(english, korean)
        self.format = format
    }

    func label(_ language: Language) -> String {
        switch language {
        case .english: words.english
        case .korean: words.korean
        }
    }

    /// The value in words; nil: the object has no such member, or it is shown with another one.
    ///
    /// - Parameter currency: of an amount, when the object itself does not tell.
    func value(in object: [String: JSON], currency: String? = nil, _ language: Language) -> String? {
        guard let value = object[name] else { return nil }
        switch format {
        case .money:
            let foreign = Self.amountPaid(name, in: object)
            // What has an amount in a foreign currency has its worth in won.
            let code = object["currency"]?.text ?? currency ?? foreign.map { _ in Currency.won.code }
            guard let amount = value.integer, let code else { return nil }
            return Show.money(amount, code, of: foreign)
        case .coins: return value.integer.map { Show.coins($0, language) }
        case .id: return value.integer.map { String($0) }
        case .ids: return value.text?.replacing(",", with: ", ")
        case .flag: return Texts.text(value == .bool(true) ? "yes" : "no", language)
        case .refundStatus: return value.text.map { Texts.text("refundState_\($0)", language) }
        case .problem: return value.text.map { Self.problem($0, language) }
        case .text: return value.text.flatMap { $0.isEmpty ? nil : $0 } ?? value.integer.map { Show.number($0) }
        case .word(let beginnings):
            return value.text.map { word in
                beginnings.lazy.compactMap { Texts.table(language)["\($0)\(word)"] }.first ?? word
            }
        case .hidden: return nil
        }
    }

    /// The amount of this name in the currency of a foreign payment; nil: it is in the currency of the books alone.
    static func amountPaid(_ name: String, in object: [String: JSON]) -> (amount: Int64, code: String)? {
        guard let amount = object["foreign_\(name)"]?.integer, let code = object["foreign_currency"]?.text else {
            return nil
        }
        return (amount, code)
    }

    /// What a code means; one that this version does not know is only called refused.
    private static func problem(_ code: String, _ language: Language) -> String {
        if let text = Texts.table(language)["problem_\(code)"] { return text }
        let title = ProblemCode(rawValue: code).title
        return title.isEmpty ? Texts.text("approval_refused", language) : title
    }
}

extension Show {
    /// `1,234 coins`.
    static func coins(_ number: Int64, _ language: Language) -> String {
        switch language {
        case .english: "\(Show.number(number)) \(number == 1 ? "coin" : "coins")"
        case .korean: "\(Show.number(number))코인"
        }
    }
}

extension ProposalDescriber {
    /// The stored members that have words, in the describer's order.
    static func facts(
        _ fields: [ProposalField], in object: [String: JSON], currency: String? = nil, _ language: Language
    ) -> [[String: String]] {
        fields.compactMap { field in
            field.value(in: object, currency: currency, language).map {
                ["label": field.label(language), "value": $0]
            }
        }
    }
}

extension JSON {
    /// The members of an object that is stored as text; none for anything else.
    static func members(_ text: String?) -> [String: JSON] {
        guard let text, case .object(let members)? = try? JSONParser.parse(Array(text.utf8)) else { return [:] }
        return members
    }
}
