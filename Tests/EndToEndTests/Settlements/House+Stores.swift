import Ledger
import LedgerTestSupport
import TestSupport

extension House {
    /// Credits a purchase at Google Play of ₩1,000, and returns its order's id.
    func creditAtPlay() async throws -> String {
        let payment = PaymentIdentity.sampleAtPlay(1)
        try await credit(payment)
        return sure(payment.merchantPaymentID)
    }

    /// Credits a purchase in the App Store of 100 coins for ₩1,000, and returns its transaction's id.
    func creditInAppStore() async throws -> String {
        let payment = PaymentIdentity.sampleInStore(1)
        try await credit(payment)
        return payment.paymentID
    }

    /// Credits a purchase in the App Store of 100 coins for $0.99, at 1387.40.
    func creditInDollars() async throws {
        let ledger = try await self.ledger.open(writers: 1)
        _ = try await ledger.submit(CreditPurchase.sample(1, at: try await ledger.publish("1387.40")))
        await ledger.close()
    }

    private func credit(_ payment: PaymentIdentity) async throws {
        let ledger = try await self.ledger.open(writers: 1)
        _ = try await ledger.submit(CreditPurchase.sample(1, payment: payment))
        await ledger.close()
    }
}
