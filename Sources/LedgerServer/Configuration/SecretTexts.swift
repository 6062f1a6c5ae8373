/// Checks of secrets: a space is usually a copy-and-paste mistake, and a short secret can be guessed.
enum SecretTexts {
    static let plainRule = "printable ASCII characters without spaces"

    static func rule(minimum: Int) -> String {
        "texts of at least \(minimum) \(plainRule), separated by commas"
    }

    /// The secret; nil if it is empty or has a space or a control character.
    static func plain(_ text: String) -> String? {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
    }

    /// Secrets separated by commas; nil if one is too short or has a space or a control character.
    static func parse(_ text: String, minimum: Int) -> [String]? {
        let parts = text.commaSeparated
        return parts.isEmpty || parts.contains { $0.utf8.count < minimum || plain($0) == nil } ? nil : parts
    }

    static func hasBlankAtAnEnd(_ text: String) -> Bool {
        text.first?.isWhitespace != false || text.last?.isWhitespace != false
    }
}
