/// A currency of ISO 4217, and its amounts as numbers and as texts.
///
/// An amount is an integer of minor units: ₩1,000 is 1000, and $14.20 is 1420. Nothing is ever rounded.
package struct Currency: Hashable, Sendable {
    /// Three capital letters, such as `KRW`.
    package let code: String

    /// How many decimals an amount in the currency's unit has: 0 for `KRW`, 2 for `USD`.
    package let decimals: Int

    /// The currency of a code, in capital or small letters; nil: ISO 4217 does not have the code.
    package init?(_ code: String) {
        guard let code = Self.code(in: code), let decimals = ISO4217.decimals[code] else { return nil }
        self.code = code
        self.decimals = decimals
    }

    /// The text in capital letters if it has the form of a code, known or not; nil: it is not three letters.
    package static func code(in text: String) -> String? {
        let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5a).contains($0 & 0xdf) }
        return isCode ? text.uppercased() : nil
    }

    /// Reads a decimal number, such as `14.2`, `-3` or `1.42e1`, as an amount in minor units, digit by digit.
    ///
    /// - Parameter shift: the power of ten by which the number is multiplied first: -3 for thousandths of the unit.
    /// - Returns: nil if it is no number, not a whole number of minor units, or does not fit 64 bits.
    package func minorUnits(of number: String, tenTo shift: Int = 0) -> Int64? {
        let parts = number.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count <= 2, let exponent = parts.count == 2 ? Int(parts[1]) : 0,
            (-999...999).contains(exponent)
        else { return nil }
        let isNegative = parts[0].hasPrefix("-")
        let mantissa = parts[0].dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard mantissa.count <= 2, mantissa.allSatisfy(Self.isDigits) else { return nil }
        let fraction = mantissa.count == 2 ? mantissa[1] : ""
        var power = exponent + shift - fraction.count + decimals
        var digits = (mantissa[0] + fraction).drop { $0 == "0" }
        while power < 0, digits.last == "0" {
            digits.removeLast()
            power += 1
        }
        if digits.isEmpty { return 0 }
        guard power >= 0, digits.count + power <= 19 else { return nil }
        return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: power))
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Writes an amount as a decimal number in the currency's unit, with all its decimals: `1000`, `14.20`.
    package func decimal(_ amount: Int64) -> String { Self.decimal(amount, places: decimals) }

    /// Writes an integer as a decimal number whose last `places` digits are its decimals.
    package static func decimal(_ amount: Int64, places: Int) -> String {
        guard places > 0 else { return String(amount) }
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (amount < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }
}
