extension Problem {
    /// What the decoder of a request's body refused, with the member named.
    ///
    /// Foundation's own words are not passed on: they name Swift types, and repeat what the client sent.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .missingMember(JSONPointer(context.codingPath + [key]).text)
        case .valueNotFound(_, let context):
            self = .missingMember(JSONPointer(context.codingPath).text)
        case .typeMismatch(let type, let context):
            self = .wrongType(JSONPointer(context.codingPath).text, expected: Self.description(of: type))
        case .dataCorrupted(let context):
            self.init(corrupted: context)
        @unknown default:
            self.init(.malformedJSON)
        }
    }

    private init(corrupted context: DecodingError.Context) {
        let pointer = JSONPointer(context.codingPath).text
        if pointer.isEmpty, context.underlyingError != nil || context.isFoundationsSyntaxError {
            self.init(.malformedJSON)
        } else if context.isFoundationsNumberError {
            self = .wrongType(pointer, expected: "an integer within range")
        } else {
            self = .invalid(pointer: pointer, String(context.debugDescription.prefix(200)))
        }
    }

    /// A JSON type, for a person.
    private static func description(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is any FixedWidthInteger.Type: "an integer"
        case is Bool.Type: "true or false"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any JSONArrayLike.Type: "an array"
        default: "an object"
        }
    }
}

extension DecodingError.Context {
    /// Foundation says of `1e30` where an `Int64` is needed "Number 1e30 is not representable in Swift." or "Parsed JSON
    /// number <…> does not fit in Int64.", and gives no type to tell them by.
    fileprivate var isFoundationsNumberError: Bool {
        debugDescription.hasPrefix("Parsed JSON number") || debugDescription.hasPrefix("Number ")
    }

    fileprivate var isFoundationsSyntaxError: Bool {
        debugDescription.hasPrefix("The given data was not valid JSON")
    }
}

private protocol JSONArrayLike {}
extension Array: JSONArrayLike {}
extension Set: JSONArrayLike {}

/// A place in a JSON document (RFC 6901).
struct JSONPointer {
    let text: String

    init(_ path: [any CodingKey]) {
        text = path.map { key in
            "/"
                + (key.intValue.map(String.init)
                    ?? key.stringValue.replacing("~", with: "~0").replacing("/", with: "~1"))
        }.joined()
    }
}
