import WireFormats

/// Decodes a request's JSON body strictly: unknown members are refused, because they can be misspelt ones.
///
/// Foundation's decoder ignores unknown members, uses the first of two equal ones, and reads `1e3` as an integer.
/// Here amounts must be integers; no request has floating-point numbers.
struct BodyDecoder: Decoder {
    let json: JSON
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ json: JSON, at codingPath: [any CodingKey] = []) {
        self.json = json
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = json else { throw wrongType("an object") }
        for name in members.keys.sorted() where Key(stringValue: name) == nil {
            throw Problem.unknownMember(pointer(to: Place(name)), name, known: Self.names(of: Key.self))
        }
        return KeyedDecodingContainer(Members<Key>(members: members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = json else { throw wrongType("an array") }
        return Elements(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The names of a key type, if it can list them.
    private static func names<Key: CodingKey>(of _: Key.Type) -> [String] {
        guard let keys = Key.self as? any (CodingKey & CaseIterable).Type else { return [] }
        return listed(keys)
    }

    private static func listed<Key: CodingKey & CaseIterable>(_: Key.Type) -> [String] {
        Key.allCases.map(\.stringValue)
    }

    fileprivate func wrongType(_ expected: String) -> Problem {
        .wrongType(JSONPointer(codingPath).text, expected: expected, found: json.kind)
    }

    private func pointer(to key: any CodingKey) -> String { JSONPointer(codingPath + [key]).text }

    /// The decoder of a member or element; `null` counts as missing.
    fileprivate func child(_ json: JSON?, _ key: any CodingKey) throws -> BodyDecoder {
        guard let json, json != .null else { throw Problem.missingMember(pointer(to: key)) }
        return BodyDecoder(json, at: codingPath + [key])
    }
}

extension BodyDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { json == .null }

    func decode<Value: Decodable>(_: Value.Type) throws -> Value {
        switch Value.self {
        case is String.Type: try value(json.text, "a string")
        case is Bool.Type: try value(json.flag, "true or false")
        case is Int64.Type: try value(json.integer, "an integer")
        case is Int.Type: try value(json.integer.flatMap { Int(exactly: $0) }, "an integer")
        // No body has other numbers; their own decoding would call this function endlessly.
        case is any FixedWidthInteger.Type, is any BinaryFloatingPoint.Type: throw wrongType("an integer")
        default: try Value(from: self)
        }
    }

    private func value<Value>(_ value: (some Any)?, _ expected: String) throws -> Value {
        guard let value = value as? Value else { throw wrongType(expected) }
        return value
    }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSON]
    let decoder: BodyDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { members[key.stringValue] ?? .null == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try child(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try child(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }

    private func child(_ key: Key) throws -> BodyDecoder { try decoder.child(members[key.stringValue], key) }
}

/// The elements of an array.
private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSON]
    let decoder: BodyDecoder
    private(set) var currentIndex = 0

    init(elements: [JSON], decoder: BodyDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> BodyDecoder {
        let child = try decoder.child(isAtEnd ? nil : elements[currentIndex], Place(currentIndex))
        currentIndex += 1
        return child
    }
}

extension JSON {
    /// What the value is, for people.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number(let text) where text.utf8.contains { ".eE".utf8.contains($0) }:
            "a number with a fraction or an exponent"
        case .number: integer == nil ? "a number out of range" : "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A member name or index that no key type has.
struct Place: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) { self.init(intValue) }
}

/// A place in a JSON document (RFC 6901).
struct JSONPointer {
    let text: String

    init(_ path: [any CodingKey]) { self.init(path.map { $0.intValue.map(String.init) ?? $0.stringValue }) }

    /// - Parameter path: the names and indexes that lead to it.
    init(_ path: [String]) {
        text = path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }
}
