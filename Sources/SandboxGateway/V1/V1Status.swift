/// V1's states.
///
/// V1 has no status for partial cancellations: they are `cancelled`.
enum V1Status: String, Hashable, Sendable, CaseIterable {
    case ready
    case paid
    case cancelled
    case failed
}

extension SandboxPayment {
    var v1Status: V1Status {
        switch status {
        case .ready, .payPending, .accountIssued: .ready
        case .paid: .paid
        case .partialCancelled, .cancelled: .cancelled
        case .failed: .failed
        }
    }
}

/// The payments that a V1 caller sees: those of one tier, without V2-only payments.
struct V1Scope: Hashable, Sendable {
    /// The sub-store of a call; nil is the account itself.
    var tier: String?

    static func isTier(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
    }

    func sees(_ payment: SandboxPayment) -> Bool {
        payment.draft.home != .v2 && payment.draft.tier == tier
    }
}
