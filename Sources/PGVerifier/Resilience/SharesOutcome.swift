import Batching

/// An actor that does a piece of work once for all callers who wait for it.
///
/// The work must outlive a caller that leaves; a cancelled one leaves at once.
protocol SharesOutcome: Actor {
    associatedtype Value: Sendable

    typealias Outcome = Result<Value, GatewayError>

    /// The callers who wait for the work that is under way.
    var waiters: Waiters<Outcome, Never> { get set }
}

extension SharesOutcome {
    /// Waits for the outcome of the work that is under way.
    func sharedOutcome() async -> Outcome {
        let ticket = WaiterTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: Self.cancelled) }
                waiters.append(continuation, as: ticket)
            }
        } onCancel: {
            Task { await abandon(ticket) }
        }
    }

    /// Ends the waiting of all.
    func share(_ outcome: Outcome) {
        for waiter in waiters.removeAll() { waiter.resume(returning: outcome) }
    }

    private func abandon(_ ticket: WaiterTicket) {
        waiters.remove(ticket)?.resume(returning: Self.cancelled)
    }

    private static var cancelled: Outcome {
        .failure(GatewayError(.cancelled, message: "the task was cancelled"))
    }
}
