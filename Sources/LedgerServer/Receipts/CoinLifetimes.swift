import Foundation
import Ledger

/// The lifetimes of purchased coins whose product says nothing of its own.
///
/// They start with the credit and not with the payment, so that a late receipt does not credit expired coins.
struct CoinLifetimes: Sendable, Equatable {
    /// The lifetime of paid coins; nil: forever.
    var paid: Duration?
    /// The lifetime of bonus coins; nil: forever.
    var bonus: Duration?

    /// The expiry of paid coins that are credited at this time; nil: never.
    func end(ofPaidCoinsOf sale: Sale, from date: Date) -> Date? {
        Self.end(sale.lifetimes.paid, else: paid, from: date)
    }

    /// The expiry of bonus coins that are credited at this time; nil: never.
    func end(ofBonusCoinsOf sale: Sale, from date: Date) -> Date? {
        Self.end(sale.lifetimes.bonus, else: bonus, from: date)
    }

    private static func end(_ own: CoinLifetime?, else general: Duration?, from date: Date) -> Date? {
        guard let own else { return general.map { date.addingTimeInterval($0 / .seconds(1)) } }
        return own.end(from: date)
    }
}

extension CoinLifetimes {
    /// The configured lifetimes.
    init(_ values: SettingValues) throws(ConfigurationError) {
        paid = try values[Settings.coins.paidLifetime]
        bonus = try values[Settings.coins.bonusLifetime]
    }
}
