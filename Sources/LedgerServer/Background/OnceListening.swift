import ServiceLifecycle

/// A service that starts when the process listens.
///
/// A process that can't listen ends at once. A background service that had started before would be interrupted, and its
/// warnings would hide the log line with the cause.
struct OnceListening: Service {
    let service: any Service
    private let beginning: AsyncStream<Never>
    private let signal: AsyncStream<Never>.Continuation

    init(_ service: any Service) {
        self.service = service
        (beginning, signal) = AsyncStream.makeStream()
    }

    /// Starts the service.
    func begin() { signal.finish() }

    func run() async throws {
        for await _ in beginning.cancelOnGracefulShutdown() {}
        if Task.isCancelled || Task.isShuttingDownGracefully { return }
        try await service.run()
    }
}
