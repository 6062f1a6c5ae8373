import Foundation

/// The lifetimes of purchased coins.
///
/// They start with the credit and not with the payment, so that a late receipt does not credit expired coins.
struct CoinLifetimes: Sendable, Equatable {
    /// The lifetime of paid coins; nil: forever.
    var paid: Duration?
    /// The lifetime of bonus coins; nil: forever.
    var bonus: Duration?

    /// The expiry of paid coins that are credited at this time.
    func end(ofPaidFrom date: Date) -> Date? { paid.map { date.addingTimeInterval($0 / .seconds(1)) } }

    /// The expiry of bonus coins that are credited at this time.
    func end(ofBonusFrom date: Date) -> Date? { bonus.map { date.addingTimeInterval($0 / .seconds(1)) } }
}

extension CoinLifetimes {
    /// The configured lifetimes.
    init(_ values: SettingValues) throws(ConfigurationError) {
        paid = try values[Settings.coins.paidLifetime]
        bonus = try values[Settings.coins.bonusLifetime]
    }
}
