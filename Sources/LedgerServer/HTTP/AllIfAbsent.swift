/// A member that means all when it is left out, such as the coins of a refund.
///
/// `null` is refused. Left out can only be on purpose, but `null` is also what JSON makes of NaN, and of a variable that
/// was never set.
@propertyWrapper
struct AllIfAbsent<Value: Decodable & Sendable>: Decodable, Sendable {
    /// The value; nil: all.
    let wrappedValue: Value?

    fileprivate init(_ value: Value?) { wrappedValue = value }

    /// A value that is there: ``Swift/KeyedDecodingContainer/decode(_:forKey:)`` decides what a missing one is.
    init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }
}

extension KeyedDecodingContainer {
    /// Called by the bodies' synthesised decoding, in place of the library's function.
    ///
    /// - Throws: `wrong_type` for `null`.
    func decode<Value>(_: AllIfAbsent<Value>.Type, forKey key: Key) throws -> AllIfAbsent<Value> {
        guard contains(key) else { return AllIfAbsent(nil) }
        guard try !decodeNil(forKey: key) else { throw Problem.nullIsNotAll(JSONPointer(codingPath + [key]).text) }
        return AllIfAbsent(try decode(Value.self, forKey: key))
    }
}
