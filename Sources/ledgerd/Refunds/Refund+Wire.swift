import Ledger
import LedgerWire
import WireFormats

/// The request of a refund.
struct RefundRequestBody: Decodable {
    /// Nil: all refundable coins.
    let coins: CoinCount?
    let reason: NonEmpty
    let account: RefundAccountBody?

    typealias CodingKeys = RefundRequest.CodingKeys
}

/// The bank account of a refund.
struct RefundAccountBody: Decodable {
    private let bank: NonEmpty
    private let number: NonEmpty
    private let holder: NonEmpty
    private let phone: NonEmpty?

    typealias CodingKeys = RefundAccount.CodingKeys

    var account: BankAccount {
        BankAccount(bank: bank.value, number: number.value, holder: holder.value, phone: phone?.value)
    }
}

extension RefundBody {
    init(_ refund: Refund) {
        self.init(
            id: refund.id, purchaseID: refund.purchaseID, status: refund.status.rawValue, coins: refund.coins,
            bonusCoins: refund.bonusCoins, bonusCharged: refund.bonusCharged, value: refund.value, fee: refund.fee,
            amount: refund.amount,
            currency: refund.currency.code, reason: refund.explanation, requestedAt: refund.requestedAt,
            completedAt: refund.status == .completed ? refund.decidedAt : nil,
            refusal: refund.refusal.map { GatewayRefusal(reason: $0.reason, gatewayCode: $0.gatewayCode) })
    }
}

extension RefundQuoteBody {
    /// The preview of a refund; without the gateway, it is refused with `gateway_off`.
    init(_ quote: RefundQuote, canAskGateway: Bool) {
        let obstacle = quote.refusal.map { Problem.Code($0) } ?? (canAskGateway ? nil : .gatewayOff)
        self.init(
            purchaseID: quote.purchase.id, coins: quote.coins, bonusCoins: quote.bonusCoins,
            bonusCharged: quote.bonusCharged, value: quote.value, fee: quote.fee, amount: quote.amount,
            currency: quote.purchase.currency.code,
            unusedCoins: quote.unusedCoins, isRefundable: obstacle == nil,
            reason: obstacle)
    }
}

extension RefundBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("amount", amount)
        json.member("bonus_charged", bonusCharged)
        json.member("bonus_coins", bonusCoins)
        json.member("coins", coins)
        if let completedAt { json.member("completed_at", completedAt) }
        json.member("currency", currency)
        json.member("fee", fee)
        json.member("id", id)
        json.member("purchase_id", purchaseID)
        json.member("reason", reason)
        if let refusal { json.member("refusal", refusal) }
        json.member("requested_at", requestedAt)
        json.member("status", status)
        json.member("value", value)
        json.endObject()
    }
}

extension RefundBody.GatewayRefusal: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        if let gatewayCode { json.member("gateway_code", gatewayCode) }
        json.member("reason", reason)
        json.endObject()
    }
}
