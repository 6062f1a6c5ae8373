import FoundationEssentials

/// What the gateway's console does to a payment.
struct PaymentChange: Sendable {
    let status: SandboxPayment.Status
    /// How much is cancelled; nil is everything that is left.
    let cancelAmount: Decimal?
    let reason: String?
    let failReason: String?

    init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(body, known: ["status", "cancel_amount", "reason", "fail_reason"])
        guard let status = try members.choice("status", of: SandboxPayment.Status.self) else {
            throw ControlError(.badRequest, "status", "is missing")
        }
        self.status = status
        cancelAmount = try members.amount("cancel_amount")
        reason = try members.text("reason")
        failReason = try members.text("fail_reason")
        if let cancelAmount, status != .cancelled || cancelAmount == 0 {
            throw ControlError(.badRequest, "cancel_amount", "must be more than 0, with the status cancelled")
        }
    }
}
