import Foundation
import LedgerTestSupport
import TestSupport

@testable import Ledger

/// Batches of purchases by few users, drawn by chance: with and without bonus, of any rule of VAT, paid before a closing
/// and by a gateway whose clock is ahead.
///
/// Between them, users spend what they bought and have it cancelled, so they owe coins.
enum RandomPurchases {
    static func batches(of count: Int, seed: UInt64) -> [[any Act]] {
        var random = SplitMix64(seed: seed)
        var batches: [[any Act]] = []
        var number = 0
        var debtor: String?
        while number < count {
            let size = Bool.random(using: &random) ? 1 : Int.random(in: 2...40, using: &random)
            batches.append(
                (0..<size).map { place in
                    let isDebtors = debtor != nil && Int.random(in: 0..<8, using: &random) == 0
                    return purchase(number + place, by: isDebtors ? debtor : nil, &random)
                })
            number += size
            guard debtor == nil || Int.random(in: 0..<4, using: &random) == 0 else { continue }
            let name = "debtor-\(number)"
            let bought = purchase(number, by: name, &random)
            let coins = bought.coins.count + (bought.bonusCoins?.count ?? 0)
            batches.append([bought])
            batches.append([
                Spend.sample("spend-\(number)", by: name, coins: coins),
                ClawBack.sample(of: bought, bought.price.amount),
            ])
            debtor = name
            number += 1
        }
        return batches
    }

    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    private static func purchase(_ number: Int, by buyer: String?, _ random: inout SplitMix64) -> CreditPurchase {
        let won = Int64.random(in: Bool.random(using: &random) ? 1...25 : 1_000...90_000, using: &random)
        let isV2 = Int.random(in: 0..<4, using: &random) == 0
        let late = [-40 * 86_400, -3_600, 60, 599, 601, 86_400].randomElement(using: &random) ?? 0
        func expiry() -> CoinExpiry? {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: CoinExpiry(at: start + Double(Int.random(in: 86_400...8_640_000, using: &random)))
            case 1, 2: CoinExpiry(after: .seconds(86_400 * Int.random(in: 1...2, using: &random)), from: start + 0.5)
            default: nil
            }
        }
        return .sample(
            number, by: buyer ?? "user-\(Int.random(in: 0..<25, using: &random))",
            payment: isV2 ? .sampleInV2(number) : nil, coins: .random(in: 1...500, using: &random),
            bonus: Bool.random(using: &random) ? 0 : .random(in: 1...50, using: &random), won: won,
            paidAt: start + Double(late), expiry: expiry(), bonusExpiry: expiry(),
            vat: VATRule.allCases.randomElement(using: &random) ?? .atUse,
            taxFree: Bool.random(using: &random) ? nil : .random(in: 0...won, using: &random))
    }
}
