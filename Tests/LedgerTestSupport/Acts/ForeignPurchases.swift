package import CivilTime
package import Foundation
package import Ledger
import TestSupport

extension ForeignCurrency {
    package static func named(_ code: String) -> ForeignCurrency { sure(try? ForeignCurrency(code)) }
}

extension Ledger {
    /// Publishes a rate on which two people agree.
    ///
    /// - Parameter day: by default one before all sample purchases.
    @discardableResult
    package func publish(
        _ rate: String, per: Int64 = 1, of code: String = "USD",
        on day: CivilDate = sure(CivilDate(year: 2025, month: 12, day: 31))
    ) async throws -> Rate {
        let currency = ForeignCurrency.named(code)
        let quotation = sure(Quotation(rate, per: per))
        let draft = RateDraft(currency: currency, day: day, quotation: quotation, source: "test")
        switch try await rates.set(draft, by: "kim") {
        case .published(let rate): return rate
        case .waiting:
            let approved = try await rates.approve(quotation, of: currency, for: day, by: "lee")
            guard case .published(let rate) = approved else { preconditionFailure("\(approved)") }
            return rate
        }
    }
}

extension CreditPurchase {
    /// The purchase with this number in the App Store: by default 100 coins for $0.99.
    ///
    /// - Parameter paid: in minor units of the rate's currency.
    package static func sample(
        _ number: Int = 1, by buyer: some UserName = "ann", payment: PaymentIdentity? = nil, paying paid: Int64 = 99,
        at rate: Rate, coins: Int64 = 100, bonus: Int64 = 0, paidAt: Date? = nil, vat: VATRule = .atUse,
        cancelled: Int64 = 0, expiresAt: Date? = nil
    ) -> CreditPurchase {
        CreditPurchase(
            user: buyer.userID, payment: payment ?? .sampleInStore(number), product: "coins_100",
            price: sure(rate.worth(of: paid).flatMap(Price.init(won:))),
            foreign: ForeignPayment(amount: paid, currency: rate.currency, rateID: rate.id), coins: sure(Coins(coins)),
            bonusCoins: Coins(bonus), paidAt: paidAt ?? Date(timeIntervalSince1970: 1_767_225_600 + Double(number)),
            expiresAt: expiresAt.map { CoinExpiry(at: $0) }, vat: vat, cancelledAmount: cancelled)
    }
}
