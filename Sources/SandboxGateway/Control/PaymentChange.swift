import FoundationEssentials
import SandboxSupport

/// A change of a payment by the console or the payment company.
enum PaymentChange: Sendable {
    /// The payment gets this status.
    case status(SandboxPayment.Status, failReason: String?)
    /// A cancellation.
    case cancel(CancellationByHand)
    /// The result of a pending cancellation; without an id, of the oldest one.
    case decideCancellation(id: String?, as: Cancellation.Status)

    /// The buyer's dispute.
    case dispute(DisputeChange, reason: String?)

    /// What becomes of a payment's dispute.
    enum DisputeChange: String, Sendable, CaseIterable {
        /// The buyer disputes the payment.
        case open
        /// The dispute is resolved, and the payment stands.
        case win
        /// The dispute is resolved, and the rest of the payment is charged back.
        case lose
    }

    /// A cancellation in the console.
    struct CancellationByHand: Sendable {
        /// Nil: the balance.
        var amount: Decimal?
        /// Its tax-free part; nil: none, as far as there is taxable money.
        var taxFree: Decimal?
        var reason: String?
        /// Whether it is decided later.
        var isPending = false
    }

    private static let known: Set<String> = [
        "status", "cancel_amount", "tax_free", "reason", "fail_reason", "pending", "cancellation_id",
        "cancellation_status", "dispute",
    ]

    init(_ body: JSONValue, of payMethod: String?) throws(ControlError) {
        let members = try ControlMembers(body, known: Self.known)
        if let outcome = try members.choice("cancellation_status", of: Cancellation.Status.self) {
            guard outcome != .requested, members.value("status") == nil else {
                throw ControlError(.badRequest, "cancellation_status", "must be SUCCEEDED or FAILED, without status")
            }
            self = .decideCancellation(id: try members.text("cancellation_id"), as: outcome)
            return
        }
        if let dispute = try members.choice("dispute", of: DisputeChange.self) {
            guard members.value("status") == nil else {
                throw ControlError(.badRequest, "dispute", "must be without status")
            }
            self = .dispute(dispute, reason: try members.text("reason"))
            return
        }
        guard let status = try members.status("status", payMethod: payMethod) else {
            throw ControlError(.badRequest, "status", "is missing")
        }
        self =
            switch status {
            case .cancelled, .partialCancelled: try Self.cancellation(members, isPartial: status == .partialCancelled)
            default: try Self.step(members, to: status)
            }
    }

    private static func cancellation(
        _ members: ControlMembers, isPartial: Bool
    ) throws(ControlError) -> PaymentChange {
        let amount = try members.amount("cancel_amount")
        guard amount != 0, amount != nil || !isPartial else {
            throw ControlError(.badRequest, "cancel_amount", "must be more than 0")
        }
        return .cancel(
            CancellationByHand(
                amount: amount, taxFree: try members.amount("tax_free"), reason: try members.text("reason"),
                isPending: try members.flag("pending") ?? false))
    }

    private static func step(
        _ members: ControlMembers, to status: SandboxPayment.Status
    ) throws(ControlError) -> PaymentChange {
        for name in ["cancel_amount", "tax_free", "pending"] where members.value(name) != nil {
            throw ControlError(.badRequest, name, "requires the status cancelled")
        }
        return .status(status, failReason: try members.text("fail_reason"))
    }
}
