/// A member's text that must say something: an empty string is refused as `missing_member`, like none at all.
///
/// Also refused are control characters, U+0000 among them, which PostgreSQL can't store, and more than the limit.
struct NonEmpty: Decodable, Hashable, Sendable {
    /// The longest text taken, in characters (Unicode scalars, as JSON Schema counts them).
    ///
    /// Longer than any id that the gateway or a client makes.
    static let maxLength = 256

    let value: String

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(String.self)
        let pointer = JSONPointer(decoder.codingPath).text
        guard !value.isEmpty else { throw Problem.missingMember(pointer, "\(pointer) must not be empty") }
        guard value.unicodeScalars.count <= Self.maxLength else {
            throw Problem.invalid(pointer: pointer, "\(pointer) may hold \(Self.maxLength) characters at most")
        }
        guard value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Problem.invalid(pointer: pointer, "\(pointer) must not hold control characters")
        }
    }
}
