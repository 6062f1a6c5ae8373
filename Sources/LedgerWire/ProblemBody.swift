/// An error: RFC 9457 `application/problem+json`.
///
/// Members may be added.
public struct ProblemBody: Codable, Hashable, Sendable {
    /// `urn:ledgerd:problem:` followed by the code.
    ///
    /// - Format: `uri`
    public let type: String
    /// The kind of error, for people; always the same text for a code.
    public let title: String
    /// The HTTP status.
    public let status: Int
    /// The details of this error, for people.
    public let detail: String?
    /// The kind of error, for programs; its meaning never changes.
    public let code: ProblemCode
    /// The request id in the service's log.
    public let requestID: String
    /// Whether the same request may succeed later.
    public let retryable: Bool
    /// Further members by name, such as `required`, `available`, `pointer`.
    public let members: [String: ProblemMember]

    /// The names of the members that every problem has.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case type, title, status, detail, code, retryable
        case requestID = "request_id"
    }

    /// Creates a problem.
    public init(
        type: String, title: String, status: Int, detail: String? = nil, code: ProblemCode, requestID: String,
        retryable: Bool, members: [String: ProblemMember] = [:]
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.requestID = requestID
        self.retryable = retryable
        self.members = members
    }

    /// Reads a problem; ignores members of unknown types.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        type = try body.decode(String.self, forKey: .type)
        title = try body.decode(String.self, forKey: .title)
        status = try body.decode(Int.self, forKey: .status)
        detail = try body.decodeIfPresent(String.self, forKey: .detail)
        code = try body.decode(ProblemCode.self, forKey: .code)
        requestID = try body.decode(String.self, forKey: .requestID)
        retryable = try body.decode(Bool.self, forKey: .retryable)
        let all = try decoder.container(keyedBy: MemberName.self)
        let others = all.allKeys.filter { CodingKeys(stringValue: $0.stringValue) == nil }
        members = others.reduce(into: [:]) { members, name in
            members[name.stringValue] = try? all.decode(ProblemMember.self, forKey: name)
        }
    }

    /// Writes the problem.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.encode(type, forKey: .type)
        try body.encode(title, forKey: .title)
        try body.encode(status, forKey: .status)
        try body.encodeIfPresent(detail, forKey: .detail)
        try body.encode(code, forKey: .code)
        try body.encode(requestID, forKey: .requestID)
        try body.encode(retryable, forKey: .retryable)
        var others = encoder.container(keyedBy: MemberName.self)
        for (name, value) in members { try others.encode(value, forKey: MemberName(name)) }
    }
}

/// A further member of a problem.
public enum ProblemMember: Codable, Hashable, Sendable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// Yes or no.
    case bool(Bool)
    /// Several values, such as texts; it can be empty.
    case list([ProblemMember])

    /// Reads a member's value.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else {
            self = .list(try value.decode([ProblemMember].self))
        }
    }

    /// Writes a member's value.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .string(let string): try value.encode(string)
        case .integer(let integer): try value.encode(integer)
        case .bool(let bool): try value.encode(bool)
        case .list(let values): try value.encode(values)
        }
    }

    /// Several texts.
    public static func strings(_ strings: [String]) -> Self { .list(strings.map(Self.string)) }
    /// Several whole numbers.
    public static func integers(_ integers: [Int64]) -> Self { .list(integers.map(Self.integer)) }
}

extension ProblemMember: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Yes or no.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Several values.
    public init(arrayLiteral values: ProblemMember...) { self = .list(values) }
}

/// A member name that is known only at run time.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
