import FoundationEssentials

/// Money movements in order; events never change (PortOne V2 contract, lists).
///
/// The latest 200,000 are kept.
struct PaymentEvents: Sendable {
    struct Event: Codable, Sendable {
        let sequence: Int
        let id: String
        let impUID: String
        let status: SandboxPayment.Status
        let at: Date
        /// Negative for cancellations.
        let amount: Decimal
        let cancellationID: String?
    }

    private(set) var list: [Event]
    private var made: Int

    private static let capacity = 200_000

    /// Continues after these.
    init(_ saved: [Event] = []) {
        list = saved.suffix(Self.capacity)
        made = saved.last?.sequence ?? 0
    }

    /// Records the step, if it moved money.
    mutating func record(_ step: PaymentStep, of payment: SandboxPayment, at moment: Date) -> Event? {
        let status: SandboxPayment.Status
        switch step {
        case .paid: status = .paid
        case .partialCancelled: status = .partialCancelled
        case .cancelled: status = .cancelled
        case .opened, .accountIssued, .payPending, .failed, .cancelPending, .disputeCreated, .disputeResolved:
            return nil
        }
        let cancellation = payment.cancellations.first { $0.id == step.cancellationID }
        made += 1
        let event = Event(
            sequence: made, id: UUID().uuidString.lowercased(), impUID: payment.impUID, status: status,
            at: (step == .paid ? payment.paidAt : cancellation?.cancelledAt) ?? moment,
            amount: cancellation.map { -$0.amount } ?? payment.amount, cancellationID: cancellation?.id)
        list.append(event)
        if list.count >= Self.capacity + Self.capacity / 8 { list.removeFirst(list.count - Self.capacity) }
        return event
    }
}
