import Foundation

/// How long the coins of a purchase last after they are credited.
///
/// Not after the payment: a receipt that reaches us late must not bring coins that are gone.
struct CoinLifetimes: Sendable, Equatable {
    /// Bought coins; nil: for ever.
    var paid: Duration?
    /// Coins given on top; nil: for ever.
    var bonus: Duration?

    /// When bought coins that are credited at this time expire.
    func end(ofPaidFrom date: Date) -> Date? { paid.map { date.addingTimeInterval($0 / .seconds(1)) } }

    /// When coins given on top that are credited at this time expire.
    func end(ofBonusFrom date: Date) -> Date? { bonus.map { date.addingTimeInterval($0 / .seconds(1)) } }
}

extension CoinLifetimes {
    /// What is set.
    init(_ values: SettingValues) throws(ConfigurationError) {
        paid = try values[Settings.coins.paidLifetime]
        bonus = try values[Settings.coins.bonusLifetime]
    }
}
