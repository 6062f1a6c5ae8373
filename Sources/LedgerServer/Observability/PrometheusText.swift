/// The syntax of the text format: names, labels, escapes, numbers.
enum PrometheusText {
    /// A metric name, `[a-zA-Z_:][a-zA-Z0-9_:]*`; other characters become `_`.
    static func name(_ label: String) -> String {
        identifier(label) { $0 == UInt8(ascii: ":") }
    }

    /// Label values are short names; a longer value is a mistake and is shortened.
    private static let longestLabel = 128

    /// The labels without braces, sorted by name, so that the order of dimensions does not matter.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions
            .map { (name: labelName($0.0), value: $0.1) }
            .sorted { $0.name < $1.name }
            .map { "\($0.name)=\"\(escaped(label: String($0.value.prefix(longestLabel))))\"" }
            .joined(separator: ",")
    }

    /// Renames the label `le`, which histograms use for their buckets.
    private static func labelName(_ name: String) -> String {
        let valid = identifier(name) { _ in false }
        return valid == "le" ? "exported_le" : valid
    }

    private static func identifier(_ text: String, allowing isAllowed: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                byte
            default: isAllowed(byte) ? byte : UInt8(ascii: "_")
            }
        }
        if bytes.isEmpty || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[0]) {
            bytes.insert(UInt8(ascii: "_"), at: 0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func escaped(label value: String) -> String {
        value.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
    }

    /// Quotes are not escaped in help texts.
    static func escaped(help text: String) -> String {
        text.replacing("\\", with: #"\\"#).replacing("\n", with: #"\n"#)
    }

    /// The text of a number; whole numbers have no `.0`, to save bytes.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? value.description
    }

    static func appendSample(_ name: String, _ labels: String, _ value: Double, to text: inout String) {
        text += name
        if !labels.isEmpty { text += "{\(labels)}" }
        text += " \(number(value))\n"
    }
}
