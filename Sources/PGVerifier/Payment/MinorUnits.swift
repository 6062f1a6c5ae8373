/// Converts a gateway's amounts to integers in minor units.
package enum MinorUnits {
    /// How many decimals `currency` has (ISO 4217).
    static func exponent(of currency: String) -> Int {
        switch currency {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF", "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        case "CLF", "UYW": 4
        default: 2
        }
    }

    /// `text` as an ISO 4217 code in upper case; nil if it can't be one.
    static func currency(_ text: String) -> String? {
        let code = text.uppercased()
        let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5a).contains($0) }
        return isCode ? code : nil
    }

    /// The range of amounts: larger than any payment, and small enough that the sum of a response's amounts fits 64
    /// bits.
    static let limits: ClosedRange<Int64> = -100_000_000_000_000...100_000_000_000_000

    /// Reads a JSON number as an amount of `currency`, digit by digit.
    ///
    /// - Returns: nil if it isn't a whole number of minor units, or too large: amounts are never rounded.
    static func parse(_ number: String, currency: String) -> Int64? {
        let parts = number.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count <= 2, let written = parts.count == 2 ? Int(parts[1]) : 0,
            (-999...999).contains(written)
        else { return nil }
        let isNegative = parts[0].hasPrefix("-")
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard mantissa.count <= 2 else { return nil }
        let fraction = mantissa.count == 2 ? mantissa[1] : ""
        var power = written - fraction.count + exponent(of: currency)
        var digits = (mantissa[0] + fraction).drop { $0 == "0" }
        while power < 0, digits.last == "0" {
            digits.removeLast()
            power += 1
        }
        if digits.isEmpty { return 0 }
        guard power >= 0, digits.count + power <= 19 else { return nil }
        let amount = Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: power))
        return amount.flatMap { limits.contains($0) ? $0 : nil }
    }

    /// Writes an amount in V1's format: in the currency's unit, with its decimals.
    package static func decimal(_ amount: Int64, currency: String) -> String {
        let exponent = exponent(of: currency)
        guard exponent > 0 else { return String(amount) }
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        return (amount < 0 ? "-" : "") + padded.dropLast(exponent) + "." + padded.suffix(exponent)
    }
}
