import FoundationEssentials
import SandboxSupport

/// A new payment of the control API, with the real gateway's limits (PortOne V1 contract, payment object).
///
/// Amounts are in the currency, as V1 writes them.
struct PaymentDraft: Hashable, Codable, Sendable {
    private(set) var merchantUID: String
    let amount: Decimal
    let currency: String
    /// The member `version`; without it, the API whose name the order id has.
    let home: SandboxPayment.Home
    let status: SandboxPayment.Status
    let payMethod: String
    let isTest: Bool
    let customData: String?
    let failReason: String?
    private(set) var impUID: String?
    private(set) var transactionID: String?
    let cancelAmount: Decimal?
    private(set) var startedAt: Date?
    private(set) var paidAt: Date?
    let cancelledAt: Date?
    let taxFree: Decimal
    let storeID: String?
    let tier: String?
    let noticeURLs: [String]
    /// The token that the merchant must present to confirm the payment.
    let paymentToken: String?
    let cancelOutcome: CancelOutcome
    let maxCancelCount: Int?
    var accountDue: Date?
    /// Members that are returned unchanged.
    let details: [String: JSONValue]

    private static let detailLimits = [
        "name": 40, "buyer_name": 16, "buyer_email": 64, "buyer_tel": 16, "buyer_addr": 128, "buyer_postcode": 8,
        "pg_provider": 16, "customer_uid": 80, "customer_uid_usage": 20, "billing_key": 200,
    ]
    private static let known = Set(detailLimits.keys).union([
        "merchant_uid", "amount", "currency", "status", "pay_method", "sandbox", "custom_data", "fail_reason",
        "imp_uid", "transaction_id", "cancel_amount", "started_at", "paid_at", "cancelled_at", "version", "payment_id",
        "store_id", "tier", "tax_free",
        "notice_url", "payment_token", "cancel_outcome", "max_cancel_count", "vbank_date",
    ])

    init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(body, known: Self.known)
        let isV2 = members.value("payment_id") != nil
        if isV2, members.value("merchant_uid") != nil {
            throw ControlError(.badRequest, "payment_id", "is V2's name of merchant_uid: give one of them")
        }
        home = try members.choice("version", of: SandboxPayment.Home.self) ?? (isV2 ? .v2 : .v1)
        // V2 states no limit; V1 does.
        let limit = home == .v2 ? 200 : 40
        guard let merchantUID = try members.text(isV2 ? "payment_id" : "merchant_uid", atMost: limit) else {
            throw ControlError(.badRequest, "merchant_uid", "is missing")
        }
        guard let amount = try members.amount("amount") else {
            throw ControlError(.badRequest, "amount", "is missing")
        }
        self.merchantUID = merchantUID
        self.amount = amount
        currency = try Self.currency(members, amount)
        payMethod = try members.text("pay_method", atMost: 20) ?? "card"
        status = try members.status("status", payMethod: payMethod) ?? .paid
        isTest = try members.flag("sandbox") ?? false
        customData = try Self.customData(members)
        failReason = try members.text("fail_reason")
        impUID = try members.text("imp_uid", atMost: 32)
        transactionID = try members.text("transaction_id", atMost: 64)
        cancelAmount = try members.amount("cancel_amount")
        startedAt = try members.time("started_at")
        paidAt = try members.time("paid_at")
        cancelledAt = try members.time("cancelled_at")
        taxFree = try members.amount("tax_free") ?? 0
        storeID = try members.text("store_id")
        tier = try members.text("tier", atMost: 3)
        noticeURLs = try members.urls("notice_url")
        paymentToken = try members.text("payment_token")
        cancelOutcome = try members.choice("cancel_outcome", of: CancelOutcome.self) ?? .succeeded
        maxCancelCount = try members.integer("max_cancel_count", in: 1...1000)
        accountDue = try members.time("vbank_date")
        var details: [String: JSONValue] = [:]
        for (name, limit) in Self.detailLimits {
            details[name] = try members.text(name, atMost: limit).map(JSONValue.string)
        }
        self.details = details
        try checkCoherence()
    }

    /// One of many equal payments: its ids end in `number`, its times are `seconds` after those of the first payment.
    func numbered(_ number: Int, after seconds: Double) -> PaymentDraft {
        var draft = self
        draft.merchantUID += "-\(number)"
        draft.impUID = impUID.map { "\($0)-\(number)" }
        draft.transactionID = transactionID.map { "\($0)-\(number)" }
        draft.startedAt = startedAt?.addingTimeInterval(seconds)
        draft.paidAt = paidAt?.addingTimeInterval(seconds)
        return draft
    }

    private func checkCoherence() throws(ControlError) {
        if failReason != nil, status != .failed {
            throw ControlError(.badRequest, "fail_reason", "requires the status failed")
        }
        if transactionID != nil, home == .v1 {
            throw ControlError(.badRequest, "transaction_id", "is the imp_uid of a V1 payment")
        }
        if taxFree > amount { throw ControlError(.badRequest, "tax_free", "must be at most the amount") }
        if let cancelAmount {
            guard status == .cancelled || status == .partialCancelled else {
                throw ControlError(.badRequest, "cancel_amount", "requires the status cancelled")
            }
            guard cancelAmount > 0, cancelAmount <= amount else {
                throw ControlError(.badRequest, "cancel_amount", "must be more than 0 and at most the amount")
            }
        } else if status == .partialCancelled {
            throw ControlError(.badRequest, "cancel_amount", "is missing")
        }
    }

    private static func currency(_ members: ControlMembers, _ amount: Decimal) throws(ControlError) -> String {
        let currency = try members.text("currency") ?? "KRW"
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else {
            throw ControlError(.badRequest, "currency", "must be three capital letters")
        }
        let places = CurrencyScale.places(of: currency)
        guard amount.hasAtMost(places) else {
            throw ControlError(.badRequest, "amount", "must have at most \(places) decimals in \(currency)")
        }
        return currency
    }

    /// A text, usually JSON; a JSON value is accepted and converted to text.
    private static func customData(_ members: ControlMembers) throws(ControlError) -> String? {
        switch members.value("custom_data") {
        case nil: nil
        case .string(let text): text
        case .some(let value): value.wireText
        }
    }
}
