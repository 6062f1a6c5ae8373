import Synchronization

/// Waits for work that belongs to more than one caller: a cancelled caller leaves, and the work goes on.
func abandonable<Answer: Sendable>(
    _ work: @escaping @Sendable () async -> Result<Answer, GatewayError>
) async -> Result<Answer, GatewayError> {
    let wait = Wait<Answer>()
    // Not a child of the caller's task: it may outlive it. Whatever it does has a deadline of its own.
    Task { wait.end(await work()) }
    return await withTaskCancellationHandler {
        await withCheckedContinuation { wait.begin($0) }
    } onCancel: {
        wait.end(.failure(GatewayError(.cancelled, message: "the task was cancelled")))
    }
}

/// One caller's wait; the first end counts.
private final class Wait<Answer: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result<Answer, GatewayError>, Never>?
        var answer: Result<Answer, GatewayError>?
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Result<Answer, GatewayError>, Never>) {
        let answer = state.withLock { state in
            if state.answer == nil { state.continuation = continuation }
            return state.answer
        }
        if let answer { continuation.resume(returning: answer) }
    }

    func end(_ answer: Result<Answer, GatewayError>) {
        let continuation = state.withLock { state in
            guard state.answer == nil else { return nil as CheckedContinuation<Result<Answer, GatewayError>, Never>? }
            state.answer = answer
            return state.continuation
        }
        continuation?.resume(returning: answer)
    }
}
