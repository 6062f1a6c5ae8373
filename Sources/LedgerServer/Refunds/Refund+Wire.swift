import Ledger
import LedgerWire
import WireFormats

/// The request of a refund.
struct RefundRequestBody: Decodable {
    /// Nil: all refundable coins.
    @AllIfAbsent var coins: CoinCount?
    let reason: NonEmpty
    private let method: NonEmpty?
    let feeWaiver: NonEmpty?
    let account: RefundAccountBody?

    typealias CodingKeys = RefundRequest.CodingKeys
}

extension RefundRequestBody {
    /// How the money goes back; by default through the gateway.
    ///
    /// - Throws: ``Problem`` for an unknown method, and for an account with a bank transfer: it is never stored.
    func refundMethod() throws(Problem) -> Refund.Method {
        let method: Refund.Method = try method?.choice("/method") ?? .gateway
        guard method == .gateway || account == nil else {
            throw .invalid(
                pointer: "/refund_account",
                "/refund_account is for the gateway; ledgerd stores no account for a transfer")
        }
        return method
    }
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
            id: refund.id, purchaseID: refund.purchaseID, status: refund.status.rawValue,
            method: refund.method.rawValue, coins: refund.coins, bonusCoins: refund.bonusCoins,
            bonusCharged: refund.bonusCharged, value: refund.value, fee: refund.fee,
            feeRule: refund.feeRule?.rawValue, feeWaiver: refund.feeWaiver, amount: refund.amount,
            currency: refund.currency.code, reason: refund.explanation, requestedAt: refund.requestedAt,
            completedAt: refund.status == .completed ? refund.decidedAt : nil,
            paidAt: refund.transfer?.paidAt, bankReference: refund.transfer?.bankReference,
            repaidAt: refund.transfer?.repaidAt, repaymentReference: refund.transfer?.repaymentReference,
            refusal: refund.refusal.map { GatewayRefusal(reason: $0.reason, gatewayCode: $0.gatewayCode) },
            expired: refund.expired.map { Expired(coins: $0.coins, value: $0.value, fee: $0.fee) },
            taxFreeAmount: refund.taxFree, foreign: refund.foreign.map(Foreign.init))
    }
}

extension RefundBody.Foreign {
    init(_ foreign: ForeignRefund) {
        self.init(amount: foreign.amount, fee: foreign.fee, currency: foreign.currency.code)
    }
}

extension RefundQuoteBody {
    /// The preview of a refund; without the gateway, it is refused with `gateway_off`, or `refund_by_store`.
    init(_ quote: RefundQuote, canAskGateway: Bool) {
        let obstacle =
            quote.refusal.map { Problem.Code($0) }
            ?? (canAskGateway ? nil : .noRefund(at: quote.purchase.payment.gateway))
        self.init(
            purchaseID: quote.purchase.id, coins: quote.coins, bonusCoins: quote.bonusCoins,
            bonusCharged: quote.bonusCharged, value: quote.value, fee: quote.fee, feeRule: quote.feeRule.rawValue,
            amount: quote.amount,
            currency: quote.purchase.currency.code,
            unusedCoins: quote.unusedCoins, givenCoins: quote.givenCoins == 0 ? nil : quote.givenCoins,
            expired: quote.refundableExpired.map { refundable in
                Expired(
                    refundableCoins: refundable.coins, percent: refundable.percent, until: refundable.until,
                    coins: quote.expired?.coins ?? 0, value: quote.expired?.value ?? 0, fee: quote.expired?.fee ?? 0)
            }, isRefundable: obstacle == nil,
            reason: obstacle, foreign: quote.foreign.map(RefundBody.Foreign.init))
    }
}

extension RefundBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("amount", amount)
        if let bankReference { json.member("bank_reference", bankReference) }
        json.member("bonus_charged", bonusCharged)
        json.member("bonus_coins", bonusCoins)
        json.member("coins", coins)
        if let completedAt { json.member("completed_at", completedAt) }
        json.member("currency", currency)
        if let expired { json.member("expired", expired) }
        json.member("fee", fee)
        if let feeRule { json.member("fee_rule", feeRule) }
        if let feeWaiver { json.member("fee_waiver", feeWaiver) }
        if let foreign { json.member("foreign", foreign) }
        json.member("id", id)
        if let method { json.member("method", method) }
        if let paidAt { json.member("paid_at", paidAt) }
        json.member("purchase_id", purchaseID)
        json.member("reason", reason)
        if let refusal { json.member("refusal", refusal) }
        if let repaidAt { json.member("repaid_at", repaidAt) }
        if let repaymentReference { json.member("repayment_reference", repaymentReference) }
        json.member("requested_at", requestedAt)
        json.member("status", status)
        if let taxFreeAmount { json.member("tax_free_amount", taxFreeAmount) }
        json.member("value", value)
        json.endObject()
    }
}

extension RefundBody.Foreign: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("amount", amount)
        json.member("currency", currency)
        json.member("fee", fee)
        json.endObject()
    }
}

extension RefundBody.Expired: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("coins", coins)
        json.member("fee", fee)
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
