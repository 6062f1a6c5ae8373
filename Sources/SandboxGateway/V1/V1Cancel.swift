import FoundationEssentials
import SandboxSupport

/// The request of `POST /payments/cancel` (PortOne V1 contract, cancel).
struct V1Cancel: Sendable {
    let impUID: String?
    let merchantUID: String?
    /// The amount to cancel; 0 means the balance.
    let amount: Decimal
    let taxFree: Decimal?
    let vat: Decimal?
    let checksum: Decimal?
    let reason: String?
    let sendsWebhook: Bool
    /// Whether holder, bank and account are all given.
    let hasRefundAccount: Bool

    init(_ fields: RequestFields) throws(V1Refusal) {
        impUID = fields.text("imp_uid")
        merchantUID = fields.text("merchant_uid")
        guard impUID != nil || merchantUID != nil else { throw .badParameter("imp_uid") }
        amount = try Self.amount("amount", fields) ?? 0
        taxFree = try Self.amount("tax_free", fields)
        vat = try Self.amount("vat_amount", fields)
        checksum = try Self.amount("checksum", fields)
        reason = fields.text("reason")
        sendsWebhook = try fields.flag("enable_webhook")
        _ = try fields.flag("retain_promotion")
        hasRefundAccount = ["refund_holder", "refund_bank", "refund_account"].allSatisfy { fields.text($0) != nil }
        let requester = fields.text("extra", "requester")
        guard ["customer", "admin"].contains(requester ?? "admin") else { throw .badParameter("extra[requester]") }
    }

    /// The amount of `payment` to cancel; the error names the first violated rule.
    func amount(from payment: SandboxPayment) throws(V1Refusal) -> Decimal {
        if payment.status == .cancelled { throw .alreadyCancelled }
        if let checksum, checksum != payment.balance { throw .checksumMismatch }
        guard amount.hasAtMost(CurrencyScale.places(of: payment.currency)) else { throw .badParameter("amount") }
        let amount = amount == 0 ? payment.balance : amount
        guard amount > 0, amount <= payment.balance else { throw .amountOverBalance }
        guard (taxFree ?? 0) + (vat ?? 0) <= amount else { throw .badParameter("tax_free") }
        if payment.payMethod == "vbank", !hasRefundAccount { throw .refundAccountMissing }
        return amount
    }

    /// The tax-free part of `amount`: the requested one, or 0.
    ///
    /// A request without an amount cancels all that is left, with its tax-free part. Some payment companies must be
    /// told the part of every payment that has one (PortOne V1 contract, cancel).
    func taxFree(of amount: Decimal, from payment: SandboxPayment) throws(V1Refusal) -> Decimal {
        let left = payment.taxFreeBalance
        if taxFree == nil, payment.draft.taxFree > 0, payment.mustBeToldTaxFree { throw .taxFreeMissing }
        let taxFree = taxFree ?? (self.amount == 0 ? left : 0)
        guard taxFree.hasAtMost(CurrencyScale.places(of: payment.currency)) else { throw .badParameter("tax_free") }
        guard taxFree <= left else { throw .taxFreeOverBalance }
        guard payment.fits(taxFree, of: amount) else { throw .taxedOverBalance }
        return taxFree
    }

    private static func amount(_ name: String, _ fields: RequestFields) throws(V1Refusal) -> Decimal? {
        guard let given = fields.number(name) else { return nil }
        guard let amount = given, amount >= 0 else { throw .badParameter(name) }
        return amount
    }
}

extension SandboxPayment {
    /// Whether the payment company does not take a missing `tax_free` as 0.
    fileprivate var mustBeToldTaxFree: Bool {
        guard case .string(let provider) = draft.details["pg_provider"] else { return false }
        return ["kcp", "kcp_quick", "kicc", "nice", "payco"].contains(provider)
    }
}
