import Currencies
import FoundationEssentials
import SandboxSupport

/// An amount in millionths of its currency's unit.
struct PlayMoney: Hashable, Sendable {
    let micros: Int
    let currency: String

    private static let unit = 1_000_000

    init(micros: Int, _ currency: String) {
        self.micros = micros
        self.currency = currency
    }

    /// An amount in units, of at most four decimals.
    init(_ amount: Decimal, _ currency: String) {
        self.init(micros: Int((amount * Decimal(Self.unit)).description) ?? 0, currency)
    }

    /// `count` of `total` equal parts, at most all of them, rounded down to what the currency can be paid in.
    func part(_ count: Int, of total: Int) -> PlayMoney {
        guard total > 0 else { return PlayMoney(micros: 0, currency) }
        let exact = total.dividingFullWidth(micros.multipliedFullWidth(by: count)).quotient
        let decimals = Currency(currency)?.decimals ?? 2
        let smallest = (0..<decimals).reduce(Self.unit) { part, _ in part / 10 }
        return PlayMoney(micros: exact / smallest * smallest, currency)
    }

    static func + (one: PlayMoney, other: PlayMoney) -> PlayMoney {
        PlayMoney(micros: one.micros + other.micros, one.currency)
    }

    static func - (one: PlayMoney, other: PlayMoney) -> PlayMoney {
        PlayMoney(micros: one.micros - other.micros, one.currency)
    }

    /// The format of the API (Money).
    var wire: JSONValue {
        var members: [String: JSONValue] = [
            "currencyCode": .string(currency), "units": .string(String(micros / Self.unit)),
        ]
        let nanos = micros % Self.unit * 1000
        if nanos != 0 { members["nanos"] = .int(nanos) }
        return .object(members)
    }
}
