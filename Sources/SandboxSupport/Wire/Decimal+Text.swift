package import FoundationEssentials

extension Decimal {
    /// `text` as a number; nil if it isn't one.
    package static func exactly(_ text: String) -> Decimal? {
        let allowed = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "-")
        }
        guard allowed, case .number(let number) = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        else { return nil }
        return number
    }

    /// Whether the number has at most `places` decimals.
    package func hasAtMost(_ places: Int) -> Bool {
        let fraction = description.split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
        return fraction.count <= places
    }
}
