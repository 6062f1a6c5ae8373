import Foundation
import Ledger

/// What a service gives back of a purchase, why, and where to.
struct RefundRequestBody: Decodable {
    /// Nil: all that can be given back.
    let coins: CoinCount?
    let reason: NonEmpty
    let account: RefundAccountBody?

    enum CodingKeys: String, CodingKey {
        case coins, reason
        case account = "refund_account"
    }
}

/// Where the money of a refund goes.
struct RefundAccountBody: Decodable {
    private let bank: NonEmpty
    private let number: NonEmpty
    private let holder: NonEmpty
    private let phone: NonEmpty?

    enum CodingKeys: String, CodingKey {
        case bank, number, holder
        case phone = "holder_phone"
    }

    var account: BankAccount {
        BankAccount(bank: bank.value, number: number.value, holder: holder.value, phone: phone?.value)
    }
}

/// A refund, as clients read it.
struct RefundBody: Encodable {
    let id: Int64
    let purchaseID: Int64
    let status: String
    let coins: Int64
    let bonusCoins: Int64
    let value: Int64
    let fee: Int64
    let amount: Int64
    let currency: String
    let reason: String
    let requestedAt: Date
    let completedAt: Date?
    let refusal: Refusal?

    /// Why the gateway refused.
    struct Refusal: Encodable {
        let reason: String
        let gatewayCode: String?

        enum CodingKeys: String, CodingKey {
            case reason
            case gatewayCode = "gateway_code"
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, status, coins, value, fee, amount, currency, reason, refusal
        case purchaseID = "purchase_id"
        case bonusCoins = "bonus_coins"
        case requestedAt = "requested_at"
        case completedAt = "completed_at"
    }

    init(_ refund: Refund) {
        id = refund.id
        purchaseID = refund.purchaseID
        status = refund.status.rawValue
        coins = refund.coins
        bonusCoins = refund.bonusCoins
        value = refund.value
        fee = refund.fee
        amount = refund.amount
        currency = refund.currency.code
        reason = refund.explanation
        requestedAt = refund.requestedAt
        completedAt = refund.status == .completed ? refund.decidedAt : nil
        refusal = refund.refusal.map { Refusal(reason: $0.reason, gatewayCode: $0.gatewayCode) }
    }
}

/// A refund, and what the user has after it.
struct RefundAnswerBody: Encodable {
    let refund: RefundBody
    let balance: BalanceBody
}

/// What a refund would come to, as clients read it.
struct RefundQuoteBody: Encodable {
    let purchaseID: Int64
    let coins: Int64
    let bonusCoins: Int64
    let value: Int64
    let fee: Int64
    let amount: Int64
    let currency: String
    let unusedCoins: Int64
    let isRefundable: Bool
    /// The code of the problem that a refund would be refused with.
    let reason: String?

    enum CodingKeys: String, CodingKey {
        case coins, value, fee, amount, currency, reason
        case purchaseID = "purchase_id"
        case bonusCoins = "bonus_coins"
        case unusedCoins = "unused_coins"
        case isRefundable = "refundable"
    }

    init(_ quote: RefundQuote) {
        purchaseID = quote.purchase.id
        coins = quote.coins
        bonusCoins = quote.bonusCoins
        value = quote.value
        fee = quote.fee
        amount = quote.amount
        currency = quote.purchase.currency.code
        unusedCoins = quote.unusedCoins
        isRefundable = quote.refusal == nil
        reason = quote.refusal.map { Problem.Code($0).rawValue }
    }
}
