/// Parses amounts of won in the formats that people and programs use.
enum WonText {
    static let rule =
        "a whole number of won, such as 1000, 1,000, -1,000, (1,000) or 1,000.00; - and an empty field are zero"
    static let koreanRule = "1000, 1,000, -1,000, (1,000), 1,000.00 같은 원 단위 정수(-와 빈칸은 0)"

    /// What spreadsheets show for zero in their format for accounts.
    static let dashes: Set<Substring> = ["-", "−", "–", "—", "－"]

    /// Parses an amount; nil for an ambiguous or invalid text.
    static func parse(_ text: String) -> Int64? {
        var rest = text.trimmed[...]
        if rest.isEmpty { return 0 }
        for sign in ["₩", "￦"] where rest.hasPrefix(sign) { rest = rest.dropFirst() }
        if rest.hasSuffix("원") { rest = rest.dropLast() }
        rest = String(rest).trimmed[...]
        if dashes.contains(rest) { return 0 }
        let isNegative: Bool
        (rest, isNegative) = unsigned(rest)
        if rest.hasPrefix("₩") || rest.hasPrefix("￦") { rest = rest.dropFirst() }
        rest = String(rest).trimmed[...]
        guard let digits = digits(of: rest), let amount = Int64(digits), amount <= Price.highest else { return nil }
        return isNegative ? -amount : amount
    }

    /// A number without its sign, and whether it is negative.
    static func unsigned(_ text: Substring) -> (number: Substring, isNegative: Bool) {
        if text.hasPrefix("("), text.hasSuffix(")") { return (text.dropFirst().dropLast(), true) }
        // In Korean accounts a triangle marks a negative amount.
        guard let sign = text.first, "+-−△▲".contains(sign) else { return (text, false) }
        return (text.dropFirst(), sign != "+")
    }

    /// The digits, without thousands separators and without decimals of zero.
    private static func digits(of text: Substring) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.first else { return nil }
        if parts.count == 2, parts[1].isEmpty || !parts[1].allSatisfy({ $0 == "0" }) { return nil }
        let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        if groups.count > 1 {
            guard (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
                return nil
            }
        }
        return groups.joined()
    }
}
