package import Foundation

/// Makes a value of any type that can be decoded, without anything to decode.
///
/// Each member gets a value that follows from its name, so that members that are taken for one another are noticed. A list
/// has one element.
package struct Sampler {
    /// The name of the member whose value is made.
    private let member: String
    /// How many levels of members are made with their optional ones.
    private let levels: Int
    /// What is tried where the name of the member is refused.
    private let words: [String]
    /// The texts of members by name, where they are not the name.
    private let texts: [String: String]
    /// The member of a dictionary, or the case of an enumeration.
    private let key: String

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - levels: in how many levels of members the optional ones are set: 0 in none, 1 in the outermost.
    ///   - words: texts to try where the name of the member is refused, such as the cases of enumerations.
    ///   - texts: the texts of members by name, where they are not the name.
    ///   - key: the case of an enumeration with associated values; also the member of each dictionary.
    package static func make<Value: Decodable>(
        _ type: Value.Type = Value.self, levels: Int, words: [String] = [], texts: [String: String] = [:],
        key: String = "key"
    ) throws -> Value {
        try Value(from: Sampler(member: "value", levels: levels, words: words, texts: texts, key: key))
    }

    /// 2024-03-01T01:20:00.250Z.
    package static let moment = Date(timeIntervalSince1970: 1_709_256_000.25)

    fileprivate func sample<Value: Decodable>(_ type: Value.Type, _ member: String) throws -> Value {
        if let plain = plain(type, member) { return plain }
        do {
            return try Value(from: inside(member))
        } catch {
            for word in words {
                if let value = try? Value(from: inside(word)) { return value }
            }
            throw error
        }
    }

    /// Nil: the type is made of others.
    fileprivate func plain<Value>(_ type: Value.Type, _ member: String) -> Value? {
        let number = member.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9973 }
        if let integer = type as? any FixedWidthInteger.Type {
            return integer.init(truncatingIfNeeded: number) as? Value
        }
        switch type {
        case is String.Type: return (texts[member] ?? member) as? Value
        case is Bool.Type: return true as? Value
        case is Double.Type: return (Double(number) + 0.5) as? Value
        case is Date.Type: return Self.moment as? Value
        default: return nil
        }
    }

    fileprivate func inside(_ member: String) -> Sampler {
        Sampler(member: member, levels: max(0, levels - 1), words: words, texts: texts, key: key)
    }
}

extension Sampler: Decoder {
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(sampler: self))
    }

    package func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(sampler: self) }
    package func singleValueContainer() -> any SingleValueDecodingContainer { Single(sampler: self) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let sampler: Sampler

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [Key(stringValue: sampler.key)].compactMap(\.self) }

        func contains(_: Key) -> Bool { true }
        func decodeNil(forKey _: Key) -> Bool { sampler.levels == 0 }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try sampler.sample(type, key.stringValue)
        }
        func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Inner> {
            sampler.inside(key.stringValue).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            sampler.inside(key.stringValue).unkeyedContainer()
        }
        func superDecoder() -> any Decoder { sampler }
        func superDecoder(forKey key: Key) -> any Decoder { sampler.inside(key.stringValue) }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let sampler: Sampler
        var currentIndex = 0

        init(sampler: Sampler) { self.sampler = sampler }

        var codingPath: [any CodingKey] { [] }
        var count: Int? { 1 }
        var isAtEnd: Bool { currentIndex == 1 }

        mutating func decodeNil() -> Bool { false }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            return try sampler.sample(type, sampler.member)
        }
        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
            currentIndex += 1
            return sampler.container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
            currentIndex += 1
            return sampler.unkeyedContainer()
        }
        mutating func superDecoder() -> any Decoder { sampler }
    }

    private struct Single: SingleValueDecodingContainer {
        let sampler: Sampler

        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { sampler.levels == 0 }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try sampler.plain(type, sampler.member) ?? Value(from: sampler)
        }
    }
}
