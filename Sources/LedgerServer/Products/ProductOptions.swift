import ArgumentParser
import CivilTime
import Foundation
import Ledger

/// When a product is sold.
struct SaleOptions: ParsableArguments {
    @Option(help: "The RFC 3339 time from which it is sold (default: now).", transform: ProductParse.time)
    var from: Date?
    @Option(
        help: "The RFC 3339 time until which it is sold (default: no change, or no end).",
        transform: ProductParse.time)
    var until: Date?
}

/// Whether a product's prices in foreign currencies stay for other coins.
struct KeptPricesOption: ParsableArguments {
    @Flag(help: "Sell these coins at the product's prices in other currencies, too.") var keepPrices = false
}

/// How long the coins of a product live.
struct LifetimeOptions: ParsableArguments, Sendable {
    @Option(
        help: "The days until unused paid coins expire, `forever`, or `default` for paid_coin_lifetime.",
        transform: ProductParse.lifetime)
    var coinDays: Lifetime?
    @Option(
        help: "The days until unused bonus coins expire, `forever`, or `default` for bonus_coin_lifetime.",
        transform: ProductParse.lifetime)
    var bonusCoinDays: Lifetime?

    /// The lifetime of an option; nil: the service's setting applies.
    struct Lifetime: Sendable {
        let own: CoinLifetime?
    }

    var isGiven: Bool { coinDays != nil || bonusCoinDays != nil }

    /// The lifetimes with the changes of the options.
    func changing(_ lifetimes: ProductLifetimes) -> ProductLifetimes {
        ProductLifetimes(
            paid: coinDays.map(\.own) ?? lifetimes.paid, bonus: bonusCoinDays.map(\.own) ?? lifetimes.bonus)
    }
}

extension CommonOptions {
    /// Changes what is sold of a product, with its record in the audit, as the console does.
    func change<Made>(
        _ act: AuditAct, of code: String, by person: PersonOption, _ change: (Products) async throws -> Made
    ) async throws -> Made {
        let draft = AuditDraft(
            key: RandomToken.make(), person: try TerminalDesk.person(person.name), act: act.rawValue,
            target: "product:\(code)")
        return try await withLedger { ledger in
            let trail = AuditTrail(records: ledger.audit)
            return try await trail.record(draft, made: { _ in [:] }, { try await change(ledger.products) })
        }
    }
}

/// The bonus coins of a product; nil coins: none.
struct Bonus: Sendable {
    let coins: Coins?
}

enum ProductParse {
    static func price(_ text: String) throws -> Price {
        guard let price = Int64(text).flatMap(Price.init(won:)) else {
            throw ValidationError("must be a whole number of won, from 1 to \(Price.highest)")
        }
        return price
    }

    static func coins(_ text: String) throws -> Coins {
        guard let coins = Int64(text).flatMap(Coins.init) else {
            throw ValidationError("must be a whole number of coins, from 1 to \(Coins.most)")
        }
        return coins
    }

    static func time(_ text: String) throws -> Date {
        guard let date = RFC3339.date(from: text) else {
            throw ValidationError("must be an RFC 3339 time, such as 2026-12-01T00:00:00+09:00")
        }
        return date
    }

    static func lifetime(_ text: String) throws -> LifetimeOptions.Lifetime {
        switch text {
        case "default": return LifetimeOptions.Lifetime(own: nil)
        case "forever": return LifetimeOptions.Lifetime(own: .forever)
        default:
            guard let days = Int64(text), days > 0, let lifetime = CoinLifetime(days: days) else {
                throw ValidationError("must be days from 1 to \(CoinLifetime.mostDays), `forever` or `default`")
            }
            return LifetimeOptions.Lifetime(own: lifetime)
        }
    }

    static func bonus(_ text: String) throws -> Bonus {
        text == "0" ? Bonus(coins: nil) : Bonus(coins: try coins(text))
    }
}
