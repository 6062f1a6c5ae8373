/// A text member that must not be empty: an empty text is refused with `missing_member`.
///
/// It also refuses texts above the limit and control characters, because PostgreSQL can't store U+0000.
struct NonEmpty: Decodable, Hashable, Sendable {
    /// The maximum length in characters (Unicode scalars, as JSON Schema counts them), more than any id needs.
    static let maxLength = 256

    let value: String

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(String.self)
        let pointer = JSONPointer(decoder.codingPath).text
        guard !value.isEmpty else { throw Problem.missingMember(pointer, "\(pointer) must not be empty") }
        if let fault = Self.fault(of: value) { throw Problem.invalid(pointer: pointer, "\(pointer) \(fault)") }
    }

    /// What is wrong with a text; nil: nothing.
    static func fault(of text: String) -> String? {
        if text.isEmpty { return "must not be empty" }
        if text.unicodeScalars.count > maxLength { return "must have at most \(maxLength) characters" }
        return text.hasControls ? "must not have control characters" : nil
    }
}

extension String {
    /// Whether the text has control characters, of which PostgreSQL can't store U+0000.
    var hasControls: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension NonEmpty {
    /// One of a few words.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ pointer: String, of: Value.Type = Value.self
    ) throws(Problem) -> Value {
        guard let value = Value(rawValue: value) else {
            throw .invalid(pointer: pointer, "\(pointer) must be \(Value.rule)")
        }
        return value
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The choices, worded to follow the name of a member: `one of won, lost`.
    package static var rule: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }
}
