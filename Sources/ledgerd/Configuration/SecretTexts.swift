/// Secrets as people paste them: a blank that came along is a mistake, and a short one can be guessed.
enum SecretTexts {
    static let plainRule = "printable ASCII characters without blanks"

    static func rule(minimum: Int) -> String {
        "texts of \(minimum) or more \(plainRule), separated by commas"
    }

    /// The secret; nil when it has a blank, a control character, or is empty.
    static func plain(_ text: String) -> String? {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
    }

    /// Secrets separated by commas; nil when one is too short or not plain.
    static func parse(_ text: String, minimum: Int) -> [String]? {
        let parts = text.commaSeparated
        return parts.isEmpty || parts.contains { $0.utf8.count < minimum || plain($0) == nil } ? nil : parts
    }

    static func hasBlankAtAnEnd(_ text: String) -> Bool {
        text.first?.isWhitespace != false || text.last?.isWhitespace != false
    }
}
