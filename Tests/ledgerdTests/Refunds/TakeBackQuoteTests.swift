import LedgerWire
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// What the quote of a take-back tells.
@Suite(.timeLimit(.minutes(20))) struct TakeBackQuoteTests {
    private static let dollars = ForeignRefund(
        amount: 90, fee: 9, currency: sure(try? ForeignCurrency("USD")), balance: 99)

    @Test(arguments: [nil, dollars])
    func `the quote has what the payer gets in the currency of the payment`(_ foreign: ForeignRefund?) throws {
        let refund = Refund(
            id: 3, purchaseID: 1, user: .ann, status: .pending, coins: 100, bonusCoins: 0, charged: 0, value: 1374,
            fee: 125, currency: .won, explanation: "r", believedBalance: 1374, requestedAt: ModelBooks.now,
            journalEntryID: 4, feeRule: nil, feeWaiver: nil, feeVAT: nil, expired: nil, foreign: foreign)
        let made = TakenBackAndRefunded(
            reversals: [], refund: refund, balance: Balance(user: .ann) { _ in 0 })
        let preview = TakeBackPreview(
            purchase: try .anns(), chosen: [8], outcome: .done(made), returnedBefore: 0)
        let body = TakeBackQuoteBody(TakeBackQuote(preview, spends: []), canAskGateway: true)
        #expect(body.foreign == foreign.map { RefundBody.Foreign($0) }, "\(body)")
        #expect(body.amount == 1249 && body.fee == 125)
    }
}
