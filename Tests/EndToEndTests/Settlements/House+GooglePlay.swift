import Ledger
import LedgerTestSupport
import TestSupport

extension House {
    /// Credits a purchase at Google Play of ₩1,000, and returns its order's id.
    func creditAtPlay() async throws -> String {
        let payment = PaymentIdentity.sampleAtPlay(1)
        let ledger = try await self.ledger.open(writers: 1)
        _ = try await ledger.submit(CreditPurchase.sample(1, payment: payment))
        await ledger.close()
        return sure(payment.merchantPaymentID)
    }
}
