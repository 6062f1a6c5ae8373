extension Operation {
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

        /// Ids, each once, separated by commas.
        static func ids(_ count: ClosedRange<Int>) -> Value {
            Value(
                "array",
                [
                    .init(name: "minItems", value: .integer(count.lowerBound)),
                    .init(name: "maxItems", value: .integer(count.upperBound)),
                    .init(name: "uniqueItems", value: true), .init(name: "items", value: id.schema),
                ])
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

        static func choices<Words: RawRepresentable<String> & CaseIterable>(_: Words.Type) -> Value {
            choices(Words.allCases.map(\.rawValue))
        }

        /// A value that has a schema of its own in the document.
        static func named(_ name: String) -> Value {
            Value(schema: ["$ref": .string("#/components/schemas/\(name)")])
        }

        private init(schema: OrderedJSON) { self.schema = schema }

        /// Whether it has several values, separated by commas.
        var isList: Bool { schema["type"] == "array" }
    }
}

extension Operation.Value {
    /// The id of a user or provider.
    static let owner = plain(1...128)

    /// A text without control characters.
    static func plain(_ length: ClosedRange<Int>) -> Self {
        text(length, pattern: #"^[^\u0000-\u001F\u007F-\u009F]*$"#)
    }
}
