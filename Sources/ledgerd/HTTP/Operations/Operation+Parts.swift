import LedgerWire

extension Operation {
    /// A parameter of the path, the query or the header.
    struct Parameter: Sendable {
        let name: String
        let place: Place
        /// What it is, as a phrase.
        let description: String
        let value: Value
        var isRequired = false
        var example: OrderedJSON?
        /// Its name among those that many operations have; nil: it belongs to one operation.
        var sharedName: String?
        /// Whether a request needs it or another one instead, which OpenAPI can't say.
        var isOneOf = false

        enum Place: String, Sendable {
            case path, query, header
        }

        static func query(
            _ name: String, _ value: Value, _ description: String, example: OrderedJSON? = nil,
            isRequired: Bool = false, isOneOf: Bool = false
        ) -> Parameter {
            Parameter(
                name: name, place: .query, description: description, value: value, isRequired: isRequired,
                example: example, isOneOf: isOneOf)
        }

        static func path(_ name: String, _ value: Value, _ description: String, example: OrderedJSON) -> Parameter {
            Parameter(
                name: name, place: .path, description: description, value: value, isRequired: true, example: example)
        }

        static func header(
            _ name: String, _ value: Value, _ description: String, example: OrderedJSON? = nil,
            isRequired: Bool = false
        ) -> Parameter {
            Parameter(
                name: name, place: .header, description: description, value: value, isRequired: isRequired,
                example: example)
        }

        /// The same, under a name that many operations refer to.
        fileprivate func shared(_ name: String) -> Parameter {
            var parameter = self
            parameter.sharedName = name
            return parameter
        }
    }

    /// The values that a parameter can have, as a schema of the document.
    struct Value: Sendable {
        let schema: OrderedJSON

        private init(_ type: String, _ rest: [OrderedJSON.Member] = [], default usual: OrderedJSON? = nil) {
            schema = .object(
                [.init(name: "type", value: .string(type))] + rest
                    + (usual.map { [.init(name: "default", value: $0)] } ?? []))
        }

        static let text = Value("string")
        /// A moment with date and time.
        static let time = Value("string", [.init(name: "format", value: "date-time")])
        static let date = Value("string", [.init(name: "format", value: "date")])
        static let dateOrTime = Value("string", [dateOrTimeMember])
        /// The id of something that the ledger numbered.
        static let id = whole(1...)
        static let flag = Value("boolean")

        private static let dateOrTimeMember = OrderedJSON.Member(
            name: "anyOf", value: [["format": "date"], ["format": "date-time"]])

        static func flag(default usual: Bool) -> Value { Value("boolean", default: .literal("\(usual)")) }

        /// - Parameter length: how many characters it has.
        static func text(
            _ length: ClosedRange<Int>, pattern: String? = nil, default usual: OrderedJSON? = nil
        ) -> Value {
            Value(
                "string",
                [.init(name: "minLength", value: .integer(length.lowerBound))]
                    + (length.upperBound == .max
                        ? [] : [.init(name: "maxLength", value: .integer(length.upperBound))])
                    + (pattern.map { [.init(name: "pattern", value: .string($0))] } ?? []), default: usual)
        }

        static func text(pattern: String, examples: [String] = []) -> Value {
            Value(
                "string",
                [.init(name: "pattern", value: .string(pattern))]
                    + (examples.isEmpty
                        ? [] : [.init(name: "examples", value: .array(examples.map(OrderedJSON.string)))]))
        }

        /// - Parameter length: how many characters it has.
        static func dateOrTime(_ length: ClosedRange<Int>) -> Value {
            Value(
                "string",
                [
                    .init(name: "minLength", value: .integer(length.lowerBound)),
                    .init(name: "maxLength", value: .integer(length.upperBound)), dateOrTimeMember,
                ])
        }

        /// An integer of 64 bits.
        static func whole(_ range: PartialRangeFrom<Int>, default usual: OrderedJSON? = nil) -> Value {
            Value(
                "integer",
                [
                    .init(name: "format", value: "int64"),
                    .init(name: "minimum", value: .integer(range.lowerBound)),
                ], default: usual)
        }

        /// An integer of 64 bits.
        static func whole(_ range: ClosedRange<Int>, default usual: OrderedJSON? = nil) -> Value {
            Value(
                "integer",
                [
                    .init(name: "format", value: "int64"),
                    .init(name: "minimum", value: .integer(range.lowerBound)),
                    .init(name: "maximum", value: .integer(range.upperBound)),
                ], default: usual)
        }

        /// A small number, of items or seconds.
        static func count(_ range: ClosedRange<Int>, default usual: OrderedJSON) -> Value {
            Value(
                "integer",
                [
                    .init(name: "minimum", value: .integer(range.lowerBound)),
                    .init(name: "maximum", value: .integer(range.upperBound)),
                ], default: usual)
        }

        static func choice(_ words: [String], default usual: OrderedJSON? = nil) -> Value {
            Value("string", [.init(name: "enum", value: .array(words.map(OrderedJSON.string)))], default: usual)
        }

        static func choice<Words: RawRepresentable<String> & CaseIterable>(_: Words.Type) -> Value {
            choice(Words.allCases.map(\.rawValue))
        }

        /// One or more of these words, separated by commas.
        static func choices(_ words: [String]) -> Value {
            Value(
                "array",
                [
                    .init(name: "minItems", value: .integer(1)),
                    .init(name: "items", value: choice(words).schema),
                ])
        }

        /// A value that has a schema of its own in the document.
        static func named(_ name: String) -> Value {
            Value(schema: ["$ref": .string("#/components/schemas/\(name)")])
        }

        private init(schema: OrderedJSON) { self.schema = schema }

        /// Whether it has several values, separated by commas.
        var isList: Bool { schema["type"] == "array" }
    }

    /// The body of a request.
    struct Body: Sendable {
        let media: [Media]
        var isRequired = true

        struct Media: Sendable {
            let type: String
            let schema: Schema
            let examples: [Example]
        }

        /// A JSON body, decoded as this type.
        static func json(_ type: Any.Type, isRequired: Bool = true, _ examples: Example...) -> Body {
            Body(
                media: [.init(type: "application/json", schema: .type(type), examples: examples)],
                isRequired: isRequired)
        }

        static func csv(_ example: Example) -> Body {
            Body(media: [.init(type: "text/csv", schema: .any("string"), examples: [example])])
        }
    }

    /// What a body is.
    enum Schema: Sendable {
        /// What the type is written as.
        case type(Any.Type)
        /// A schema that is no type of ours.
        case named(String)
        case list(Any.Type)
        case either([Any.Type])
        /// A JSON value of this type, which nothing describes closer.
        case any(String, required: [String] = [], description: String? = nil)
    }

    struct Example: Sendable {
        let name: String
        let summary: String?
        let value: OrderedJSON

        init(_ name: String, _ value: OrderedJSON) {
            (self.name, summary, self.value) = (name, nil, value)
        }

        init(_ name: String, _ summary: String, _ value: OrderedJSON) {
            (self.name, self.summary, self.value) = (name, summary, value)
        }
    }

    /// A response of success.
    struct Answer: Sendable {
        let status: Int
        let description: String
        let content: [Body.Media]
        /// The headers beside those that the traits imply.
        let headers: [Header]
        /// The operations that go on with what this response has.
        let links: [Link]

        init(
            _ status: Int, _ description: String, _ content: [Body.Media] = [], headers: [Header] = [],
            links: [Link] = []
        ) {
            (self.status, self.description, self.content) = (status, description, content)
            (self.headers, self.links) = (headers, links)
        }

        static func ok(
            _ type: Any.Type, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            json(200, .type(type), description, headers: headers, links: links)
        }

        static func created(
            _ type: Any.Type, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            json(201, .type(type), description, headers: headers, links: links)
        }

        static func accepted(
            _ type: Any.Type, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            json(202, .type(type), description, headers: headers, links: links)
        }

        static func json(
            _ status: Int, _ schema: Schema, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            Answer(
                status, description, [.init(type: "application/json", schema: schema, examples: [])],
                headers: headers, links: links)
        }

        /// A text, in one of these media types.
        static func text(
            _ media: String..., description: String, example: Example? = nil, headers: [Header] = []
        ) -> Answer {
            let content = media.enumerated().map { number, type in
                Body.Media(
                    type: type, schema: .any("string"), examples: number == 0 ? example.map { [$0] } ?? [] : [])
            }
            return Answer(200, description, content, headers: headers)
        }
    }

    enum Header: String, Sendable {
        case location = "Location"
        case retryAfter = "Retry-After"
        case cacheControl = "Cache-Control"
        case contentDisposition = "Content-Disposition"
        case exportServer = "Ledgerd-Export-Server"
        case exportTime = "Ledgerd-Export-Time"
    }

    /// An operation whose `id` is a member of a response.
    struct Link: Sendable {
        let name: String
        let operation: String
        /// Where the id is, such as `/hold/id`.
        let id: String

        init(_ name: String, _ operation: String, id: String) {
            (self.name, self.operation, self.id) = (name, operation, id)
        }
    }
}

// MARK: - Parameters of many operations

extension Operation.Parameter {
    static let adjustment = path("id", .id, "the id of the adjustment", example: 4200).shared("adjustment")
    static let payout = path("id", .id, "the id of the payout", example: 12).shared("payout")
    static let endpoint = path("id", .id, "the id of the endpoint", example: 1).shared("endpoint")
    static let dispute = path("id", .id, "the id of the dispute", example: 4711).shared("dispute")
    static let finding = path("id", .id, "the id of the finding", example: 81).shared("finding")
    static let user = path("user", .owner, "the id of the user, percent-encoded", example: "ann").shared("user")
    static let provider = path(
        "provider", .owner, "the id of the provider, percent-encoded", example: "designer-3"
    ).shared("provider")
    static let order = path("id", .id, "the id of the order", example: 7).shared("order")
    static let purchase = path("id", .id, "the id of the purchase", example: 4097).shared("purchase")
    static let hold = path("id", .id, "the id of the hold", example: 6001).shared("hold")
    static let spend = path(
        "id", .id, "the spend: `spend.journal_entry_id` of its response", example: 4120
    ).shared("spend")
    static let capture = path(
        "capture", .id, "the capture: `capture.journal_entry_id` of its response", example: 4121
    ).shared("capture")
    static let refund = path("id", .id, "the id of the refund", example: 4711).shared("refund")
    static let reconciliation = path("id", .id, "the id of the run", example: 7).shared("reconciliation")
    static let seal = path("id", .id, "the id of the seal", example: 1).shared("seal")
    static let settlement = path("id", .id, "the id of the settlement file", example: 3).shared("settlement")

    static let from = query(
        "from", .text,
        """
        only items at this moment or later: an RFC 3339 time, or a date, which means its first moment in the service's \
        time zone
        """
    ).shared("from")
    static let to = query(
        "to", .text,
        """
        only items before this moment: an RFC 3339 time, or a date, which means its first moment in the service's time \
        zone
        """
    ).shared("to")
    static let limit = query("limit", .count(1...100, default: 20), "the maximum number of items").shared("limit")
    static let cursor = query(
        "cursor", .text, "`next_cursor` of the previous page; opaque, valid only with the same list and filters"
    ).shared("cursor")
    static let ifNoneMatch = header(
        "If-None-Match", .text, "the `ETag` of the caller's copy: 304 if the response is unchanged (RFC 9110, 13.1.2)"
    ).shared("ifNoneMatch")
    static let key = key(isRequired: true).shared("key")
    static let keyIfAny = key(isRequired: false).shared("keyIfAny")

    private static func key(isRequired: Bool) -> Self {
        header(
            "Idempotency-Key", .text(1...255, pattern: "^[ -~]+$"),
            """
            the caller's key for this write: printable ASCII. A repeat with the same key returns the first response \
            and has no further effect
            """, example: "order-17", isRequired: isRequired)
    }

    /// All of them, in the document's order.
    static let shared: [Self] = [
        adjustment, payout, endpoint, dispute, finding, user, provider, order, purchase, hold, spend, capture, refund,
        ifNoneMatch, limit, from, to, cursor, key, keyIfAny, reconciliation, seal, settlement,
    ]
}

extension Operation.Value {
    /// The id of a user or provider.
    static let owner = text(1...128, pattern: #"^[^\u0000-\u001F\u007F-\u009F]*$"#)
}
