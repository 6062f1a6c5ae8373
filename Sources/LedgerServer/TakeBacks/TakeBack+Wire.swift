import Ledger
import LedgerWire

/// The request to take back spends of a purchase and refund it.
struct TakeBackRequestBody: Decodable {
    let spends: [Int64]
    let reason: NonEmpty
    let account: RefundAccountBody?

    typealias CodingKeys = TakeBackRequest.CodingKeys

    /// The spends.
    ///
    /// - Throws: `invalid_request` for none, too many, or one that is named twice.
    func choice() throws(Problem) -> SpendChoice {
        guard let choice = SpendChoice(spends) else {
            throw .invalid(pointer: "/spends", "/spends must be \(SpendChoice.rule)")
        }
        return choice
    }
}

extension TakeBackBody {
    init(_ done: TakeBackActs.Done, _ balance: Balance) {
        self.init(
            reversals: done.made.reversals.map(ReversalBody.init), refund: RefundBody(done.refund),
            balance: BalanceBody(balance))
    }
}

extension TakeBackQuoteBody {
    /// The preview; without the gateway, it is refused with `gateway_off`, or `refund_by_store`.
    init(_ quote: TakeBackQuote, canAskGateway: Bool) {
        let obstacle =
            quote.refusal.map { Problem.Code($0) }
            ?? (canAskGateway ? nil : .noRefund(at: quote.purchase.payment.gateway))
        let refund = quote.made?.refund
        let missing = quote.missing.map { Missing(notChosen: $0.notChosen, notInWallet: $0.notInWallet) }
        let foreign: RefundBody.Foreign? = refund?.foreign.map { RefundBody.Foreign($0) }
        self.init(
            purchaseID: quote.purchase.id,
            spends: quote.spends.map { TakeBackSpendBody($0, isChosen: quote.chosen.contains($0.id)) },
            returned: quote.made?.returned ?? 0, coins: refund?.coins ?? 0, bonusCoins: refund?.bonusCoins ?? 0,
            bonusCharged: refund?.bonusCharged ?? 0, fee: refund?.fee ?? 0, amount: refund?.amount ?? 0,
            currency: quote.purchase.currency.code,
            missing: missing,
            isPossible: obstacle == nil, reason: obstacle?.rawValue, foreign: foreign)
    }
}

extension TakeBackSpendBody {
    fileprivate init(_ spend: PurchaseSpend, isChosen: Bool) {
        self.init(
            id: spend.id, coins: spend.redemption.coins, ofPurchase: spend.ofPurchase,
            provider: spend.redemption.provider?.rawValue, reason: spend.reason, recordedAt: spend.recordedAt,
            isChosen: isChosen)
    }
}
