import Currencies

/// A currency of ISO 4217 that is not the functional one: it has rates.
package struct ForeignCurrency: Hashable, Sendable {
    /// Why a code is not one of a foreign currency.
    package enum Fault: Error, Equatable {
        /// ISO 4217 does not have it.
        case unknown
        /// The books are kept in it.
        case functional
    }

    /// Three capital letters, such as `USD`.
    package let code: String

    /// - Parameter code: in capital letters.
    package init(_ code: String) throws(Fault) {
        if code == Currency.won.code { throw .functional }
        guard let known = Currencies.Currency(code), known.code == code else { throw .unknown }
        self.code = code
    }
}

/// As its code.
extension ForeignCurrency: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}
