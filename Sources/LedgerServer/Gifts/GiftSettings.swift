import CivilTime
import Foundation
import Ledger
import PGVerifier
import Timing

/// What users may give to each other.
struct GiftSettings: Sendable {
    let coins: GiveableCoins
    let feePercent: Int64
    /// The most coins that a user gives in a day; nil: no limit.
    let mostGiven: Int64?
    /// The most coins that a user is given in a day; nil: no limit.
    let mostReceived: Int64?
    /// The time zone of days.
    let timeZone: TimeZone

    init(_ values: SettingValues) throws(ConfigurationError) {
        coins = GiveableCoins(
            kinds: try values[Settings.coins.giftCoins].kinds,
            exceptGateways: Set(try values[Settings.coins.giftExceptGateways]))
        feePercent = Int64(try values[Settings.coins.giftFeePercent])
        mostGiven = try values[Settings.coins.giftDailyLimit]
        mostReceived = try values[Settings.coins.giftReceivedDailyLimit]
        timeZone = try values[Settings.books.timeZone]
    }

    /// The rules of a gift that is asked for at a moment.
    func rules(at now: Date = Time.current.now) -> GiftRules {
        let today = timeZone.startOfDay(CivilDate(of: now, in: timeZone).daysSince1970)
        return GiftRules(
            coins, feePercent: feePercent, mostGiven: mostGiven, mostReceived: mostReceived,
            since: Date(timeIntervalSince1970: TimeInterval(today)))
    }
}

/// The kinds of coins that users can give to each other.
enum GiftKinds: String, CaseIterable {
    case none, paid, bonus, all

    var kinds: Set<LotKind> {
        switch self {
        case .none: []
        case .paid: [.paid]
        case .bonus: [.bonus]
        case .all: [.paid, .bonus]
        }
    }
}

extension GiveableCoins {
    /// The format of ``exceptGateways``, for help and error messages.
    static let gatewayRule =
        "none, or names separated by commas, of " + Gateways.known.map { $0.name }.joined(separator: ", ")

    /// Reads names of gateways, or `none`; nil if one is unknown.
    static func gateways(_ text: String) -> [String]? {
        if text.lowercased() == GiftKinds.none.rawValue { return [] }
        let names = text.commaSeparated
        let areKnown = names.allSatisfy { Gateways.known(as: $0) != nil }
        return names.isEmpty || !areKnown ? nil : names
    }
}
