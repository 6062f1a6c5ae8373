import FoundationEssentials

/// The request of `POST /payments/{paymentId}/cancel` (PortOne V2 contract, cancel).
///
/// Amounts are in the currency's smallest unit.
struct V2Cancel: Sendable {
    private let reason: String
    private let amount: Int?
    private let taxFreeAmount: Int?
    private let vatAmount: Int?
    private let currentCancellableAmount: Int?
    private let retainOption: String?
    private let hasRefundAccount: Bool
    let skipsWebhook: Bool

    init(_ members: V2Members) throws(V2Refusal) {
        guard let reason = try members.text("reason") else { throw .invalid("reason is missing") }
        self.reason = reason
        amount = try members.integer("amount", in: 1...Int.max)
        taxFreeAmount = try members.integer("taxFreeAmount")
        vatAmount = try members.integer("vatAmount")
        currentCancellableAmount = try members.integer("currentCancellableAmount")
        retainOption = try members.choice("promotionDiscountRetainOption", of: ["RETAIN", "RELEASE"])
        _ = try members.choice("requester", of: ["CUSTOMER", "ADMIN"])
        _ = try members.text("refundEmail")
        skipsWebhook = try members.flag("skipWebhook") ?? false
        if let account = try members.object("refundAccount") {
            for name in ["bank", "number", "holderName"] {
                guard try account.text(name) != nil else { throw .invalid("refundAccount.\(name) is missing") }
            }
            hasRefundAccount = true
        } else {
            hasRefundAccount = false
        }
    }

    /// The cancellation of `payment`; the error names the first violated rule.
    func cancellation(of payment: SandboxPayment, now: Date) throws(V2Refusal) -> Cancellation {
        try check(payment)
        let left = payment.balance.minorUnits(of: payment.currency)
        let amount = amount ?? left
        guard amount > 0, amount <= left else { throw .overBalance }
        let taxFree = try taxFree(of: amount, payment)
        if let most = payment.draft.maxCancelCount, payment.executed.count >= most { throw .tooManyCancellations }
        let status: Cancellation.Status =
            switch payment.draft.cancelOutcome {
            case .succeeded: .succeeded
            case .requested: .requested
            case .failed: .failed
            case .refused: throw .refusedByPG
            }
        return Cancellation(
            amount: Decimal(minorUnits: amount, of: payment.currency),
            taxFree: Decimal(minorUnits: taxFree, of: payment.currency),
            vat: vatAmount.map { Decimal(minorUnits: $0, of: payment.currency) }, reason: reason, trigger: .api,
            status: status, now: now)
    }

    private func check(_ payment: SandboxPayment) throws(V2Refusal) {
        guard payment.wasApproved else { throw .notPaid }
        if payment.status == .cancelled { throw .alreadyCancelled }
        if let currentCancellableAmount,
            currentCancellableAmount != payment.balance.minorUnits(of: payment.currency)
        {
            throw .balanceDiffers
        }
        if payment.payMethod == "vbank", !hasRefundAccount { throw .invalid("refundAccount is missing") }
        if let decided = payment.retainOption, decided != retainOption ?? "RELEASE" { throw .retainOptionChanged }
    }

    /// The tax-free part of `amount`: the requested one, or 0.
    ///
    /// A request without an amount cancels all that is left, with its tax-free part.
    private func taxFree(of amount: Int, _ payment: SandboxPayment) throws(V2Refusal) -> Int {
        let left = payment.taxFreeBalance.minorUnits(of: payment.currency)
        let taxFree = taxFreeAmount ?? (self.amount == nil ? left : 0)
        guard taxFree <= amount, (vatAmount ?? 0) <= amount - taxFree else { throw .partsOverAmount }
        guard taxFree <= left else { throw .taxFreeOverBalance }
        guard amount - taxFree <= payment.balance.minorUnits(of: payment.currency) - left else {
            throw .taxedOverBalance
        }
        return taxFree
    }

    /// The option that the first partial cancellation sets for later ones.
    var decidedRetainOption: String { retainOption ?? "RELEASE" }
}
