/// Runs `work` for at most `limit`, then cancels it and reports a timeout.
///
/// `work` must end soon after its cancellation; everything in this target does.
func within<Answer: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Result<Answer, GatewayError>
) async throws(GatewayError) -> Answer {
    let result = await withTaskGroup(of: Result<Answer, GatewayError>?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        let first = await group.next()
        group.cancelAll()
        return first ?? nil
    }
    if let result { return try result.get() }
    if Task.isCancelled { throw GatewayError(.cancelled, message: "the task was cancelled") }
    throw GatewayError(.timeout, message: "no response within \(limit)")
}
