import HTTPTypes
import LedgerWire

/// An operation of the API, declared once, in its feature.
///
/// Router, rights, strict requests and the paths of docs/openapi.json are made from it. The kind (`read`,
/// `list`, `act` …) implies what all operations of that kind have; `answers`, `refusals` and `traits` say the rest.
struct Operation: Sendable {
    /// The name in the document, such as `writeOffDebt`.
    let id: String
    let method: HTTPRequest.Method
    /// The path's pattern, such as `/v1/holds/{id}`.
    let path: String
    let callers: Callers
    let tag: Tag
    /// An imperative without a full stop.
    let summary: String
    /// Markdown; nil: the summary is enough.
    let description: String?
    /// In the document's order, without those that the traits imply.
    let parameters: [Parameter]
    let body: Body?
    /// The responses of success.
    let answers: [Answer]
    /// The refusals of this operation, without those that the kind implies.
    let refusals: [ProblemCode]
    let traits: Traits
    /// What a status means, where the usual sentence is not enough.
    let meanings: [Int: String]

    /// A page of the reference.
    enum Tag: String, CaseIterable, Sendable {
        case shop, me, users, acts, support, endpoints, finance, events
        case olderApps = "older coin-shop apps"
        case gateway, operation
    }

    /// What an operation has that others do not have.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt16

        /// The response has an entity tag, and the request may have `If-None-Match`.
        static let tagged = Traits(rawValue: 1 << 0)
        /// The response is a page: `limit`, `cursor`, `Link`.
        static let paged = Traits(rawValue: 1 << 1)
        /// The request needs an idempotency key.
        static let keyed = Traits(rawValue: 1 << 2)
        /// The request may have an idempotency key.
        static let keyedIfAny = Traits(rawValue: 1 << 3)
        /// The ledger stores the outcome, also a refusal, and repeats get it.
        static let recorded = Traits(rawValue: 1 << 4)
        /// Unknown parameters and members are ignored, because others chose what is sent, or nothing is read.
        static let ignoresUnknown = Traits(rawValue: 1 << 5)
        /// It does not use the database.
        static let offline = Traits(rawValue: 1 << 6)
        /// It can't fail, or has errors of its own, which are among its answers.
        static let withoutProblems = Traits(rawValue: 1 << 7)
        /// A repeat has no `Idempotent-Replayed`.
        static let unmarkedRepeats = Traits(rawValue: 1 << 8)
    }

    /// The names of the query parameters that a request can have.
    var queryParameters: [String] {
        parameters.filter { $0.place == .query }.map(\.name) + (traits.contains(.paged) ? ["limit", "cursor"] : [])
    }

    private init(
        _ id: String, _ method: HTTPRequest.Method, _ path: String, _ callers: Callers, _ tag: Tag, _ summary: String,
        _ description: String?, _ parameters: [Parameter], _ body: Body?, _ answers: [Answer],
        _ refusals: [ProblemCode], _ traits: Traits, _ meanings: [Int: String] = [:]
    ) {
        (self.id, self.method, self.path, self.callers, self.tag) = (id, method, path, callers, tag)
        (self.summary, self.description, self.parameters, self.body) = (summary, description, parameters, body)
        (self.answers, self.refusals, self.traits, self.meanings) = (answers, refusals, traits, meanings)
    }
}

// MARK: - Kinds

extension Operation {
    /// A look-up, which can be asked for again with `If-None-Match`.
    static func read(
        _ id: String, _ path: String, _ callers: Callers, _ tag: Tag, _ summary: String, _ description: String? = nil,
        parameters: [Parameter] = [], answers: [Answer], refusals: [ProblemCode] = [], traits: Traits = []
    ) -> Operation {
        Operation(
            id, .get, path, callers, tag, summary, description, parameters, nil, answers, refusals,
            traits.union(.tagged))
    }

    /// A list in pages.
    static func list(
        _ id: String, _ path: String, _ callers: Callers, _ tag: Tag, _ summary: String, _ description: String? = nil,
        parameters: [Parameter] = [], page: Any.Type, refusals: [ProblemCode] = []
    ) -> Operation {
        Operation(
            id, .get, path, callers, tag, summary, description, parameters, nil, [.ok(page, "A page.")], refusals,
            [.tagged, .paged])
    }

    /// A report or text that is made for each request.
    static func file(
        _ id: String, _ path: String, _ callers: Callers, _ tag: Tag, _ summary: String, _ description: String? = nil,
        parameters: [Parameter] = [], answers: [Answer], refusals: [ProblemCode] = [], traits: Traits = []
    ) -> Operation {
        Operation(id, .get, path, callers, tag, summary, description, parameters, nil, answers, refusals, traits)
    }

    /// An act of the ledger, which needs a key; its outcome is stored.
    static func act(
        _ id: String, _ path: String, _ callers: Callers, _ tag: Tag, _ summary: String, _ description: String? = nil,
        parameters: [Parameter] = [], body: Body, answers: [Answer], refusals: [ProblemCode] = [],
        meanings: [Int: String] = [:]
    ) -> Operation {
        Operation(
            id, .post, path, callers, tag, summary, description, parameters, body, answers, refusals,
            [.keyed, .recorded], meanings)
    }

    /// A write under a key, of what is no act of the ledger: a repeat finds what the first request made.
    ///
    /// - Parameter requiresKey: whether a request without a key is refused.
    static func keyed(
        _ id: String, _ path: String, _ callers: Callers, _ tag: Tag, _ summary: String, _ description: String? = nil,
        requiresKey: Bool = true, parameters: [Parameter] = [], body: Body? = nil, answers: [Answer],
        refusals: [ProblemCode] = [], traits: Traits = [], meanings: [Int: String] = [:]
    ) -> Operation {
        Operation(
            id, .post, path, callers, tag, summary, description, parameters, body, answers, refusals,
            traits.union(requiresKey ? .keyed : .keyedIfAny), meanings)
    }

    /// A write without a key: repeating it changes nothing more, or is what the caller wants.
    static func write(
        _ id: String, _ method: HTTPRequest.Method, _ path: String, _ callers: Callers, _ tag: Tag, _ summary: String,
        _ description: String? = nil, parameters: [Parameter] = [], body: Body? = nil, answers: [Answer],
        refusals: [ProblemCode] = [], traits: Traits = [], meanings: [Int: String] = [:]
    ) -> Operation {
        Operation(
            id, method, path, callers, tag, summary, description, parameters, body, answers, refusals, traits, meanings)
    }
}
