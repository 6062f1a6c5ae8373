import Currencies

/// A rate as it is quoted: so many units of the functional currency for ``per`` units of a foreign one.
///
/// It is kept with all its digits, and never inverted.
package struct Quotation: Hashable, Sendable {
    /// The number without its decimal point: 138740 for `1387.40`.
    package let value: Int64
    /// How many digits of ``value`` are decimals: 2 for `1387.40`.
    package let scale: Int64
    /// Of how many units of the foreign currency it is the price: 1, or 100 as for the yen.
    package let per: Int64

    /// The highest ``value``: twelve digits.
    package static let highest: Int64 = 999_999_999_999
    /// The highest ``scale``.
    package static let mostDecimals: Int64 = 8
    /// What ``per`` can be.
    package static let units: [Int64] = [1, 100]

    /// - Returns: nil for a number that is not positive or has too many digits, and for an unknown `per`.
    package init?(value: Int64, scale: Int64, per: Int64) {
        guard (1...Self.highest).contains(value), (0...Self.mostDecimals).contains(scale), Self.units.contains(per)
        else { return nil }
        self.value = value
        self.scale = scale
        self.per = per
    }

    /// Reads a decimal number as it is quoted, such as `1387.40`.
    ///
    /// - Returns: nil for other texts, such as `1,387.40`, `.5` or `1e3`, and as ``init(value:scale:per:)``.
    package init?(_ text: String, per: Int64) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
            parts[0] == "0" || !parts[0].hasPrefix("0"), let value = Int64(parts.joined())
        else { return nil }
        self.init(value: value, scale: parts.count == 2 ? Int64(parts[1].utf8.count) : 0, per: per)
    }

    /// Reads a number that a formula made, such as `1395.2380952380952`: of more decimals than a quotation has, it is rounded half-even to
    /// those that it can have.
    ///
    /// - Returns: nil for other texts, and as ``init(value:scale:per:)``.
    init?(computed text: String, per: Int64) {
        guard let written = text.wholeMatch(of: /(0|[1-9][0-9]*)\.([0-9]+)/), text.utf8.count <= Self.longest else {
            self.init(text, per: per)
            return
        }
        let whole: Substring = written.1
        let decimals: Substring = written.2
        // Twelve digits in all.
        let room: Int = whole == "0" ? 12 : 12 - whole.utf8.count
        let kept: Int = min(Int(Self.mostDecimals), room)
        guard kept >= 0, decimals.utf8.count > kept, let digits = Int128(String(whole) + String(decimals)) else {
            self.init(text, per: per)
            return
        }
        let rounded: Int128 = digits.halfEven(over: .power(ofTen: Int64(decimals.utf8.count - kept)))
        self.init(value: Int64(clamping: rounded), scale: Int64(kept), per: per)
    }

    /// The longest text that is rounded: 128 bits have its digits.
    private static let longest = 36

    /// The accepted format of the number, for error messages.
    package static let rule =
        "a decimal number above 0, such as \"1387.40\", of at most 12 digits with at most \(mostDecimals) decimals"

    /// The number as it was quoted: `1387.40`.
    package var text: String { Currencies.Currency.decimal(value, places: Int(scale)) }

    /// The price of one unit of the foreign currency, with all digits: `9.5125` for `951.25` per 100.
    package var textOfOne: String {
        Currencies.Currency.decimal(value, places: Int(scale) + (per == 1 ? 0 : 2))
    }

    /// Whether both are the same price, as `1387.4` and `1387.40` are.
    package func isWorth(_ other: Quotation) -> Bool {
        value(beside: other) == other.value(beside: self)
    }

    /// The value, brought to one denominator with that of another quotation.
    private func value(beside other: Quotation) -> Int128 {
        Int128(value) * .power(ofTen: other.scale) * Int128(other.per)
    }
}

extension Int128 {
    /// One with so many zeros.
    static func power(ofTen exponent: Int64) -> Int128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
