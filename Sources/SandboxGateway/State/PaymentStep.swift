/// A step of a payment, for webhooks and V2's events.
enum PaymentStep: Hashable, Sendable {
    case opened
    case accountIssued
    case payPending
    case paid
    case failed
    case cancelPending(cancellation: String)
    case partialCancelled(cancellation: String)
    case cancelled(cancellation: String)
    case disputeCreated
    case disputeResolved

    /// The step's cancellation.
    var cancellationID: String? {
        switch self {
        case .cancelPending(let id), .partialCancelled(let id), .cancelled(let id): id
        default: nil
        }
    }
}

extension SandboxPayment {
    /// The steps between `old` and this state, in order; nil for a new payment.
    func steps(since old: SandboxPayment?) -> [PaymentStep] {
        var steps: [PaymentStep] = old == nil ? [.opened] : []
        if !(old?.wasApproved ?? false), wasApproved {
            steps.append(.paid)
        } else if old?.status != status {
            switch status {
            case .accountIssued: steps.append(.accountIssued)
            case .payPending: steps.append(.payPending)
            case .failed: steps.append(.failed)
            case .ready, .paid, .partialCancelled, .cancelled: break
            }
        }
        let (opened, resolved) = (old?.disputes.count ?? 0, old?.disputes.filter { $0.resolvedAt != nil }.count ?? 0)
        if disputes.count > opened { steps.append(.disputeCreated) }
        if disputes.filter({ $0.resolvedAt != nil }).count > resolved { steps.append(.disputeResolved) }
        for cancellation in cancellations {
            let before = old?.cancellations.first { $0.id == cancellation.id }?.status
            if let step = step(of: cancellation), before != cancellation.status { steps.append(step) }
        }
        return steps
    }

    /// The step that led to the present state.
    var latestStep: PaymentStep {
        if let last = executed.last, let step = step(of: last) { return step }
        return switch status {
        case .ready: .opened
        case .payPending: .payPending
        case .accountIssued: .accountIssued
        case .failed: .failed
        case .paid, .partialCancelled, .cancelled: .paid
        }
    }

    private func step(of cancellation: Cancellation) -> PaymentStep? {
        switch cancellation.status {
        case .requested: .cancelPending(cancellation: cancellation.id)
        case .failed: nil
        case .succeeded:
            cancellation == executed.last && status == .cancelled
                ? .cancelled(cancellation: cancellation.id) : .partialCancelled(cancellation: cancellation.id)
        }
    }
}

/// A payment after a change, with its steps.
struct PaymentChangeResult: Sendable {
    let payment: SandboxPayment
    let steps: [PaymentStep]
}
