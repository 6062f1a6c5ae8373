import ServiceLifecycle

/// A service that begins when the process listens.
///
/// What can't listen must not work either: it would be cut off in the middle, and its alarms would come before the one
/// line that says what is wrong.
struct OnceListening: Service {
    private let service: any Service
    private let beginning: AsyncStream<Never>
    private let signal: AsyncStream<Never>.Continuation

    init(_ service: any Service) {
        self.service = service
        (beginning, signal) = AsyncStream.makeStream()
    }

    /// Lets it begin.
    func begin() { signal.finish() }

    func run() async throws {
        for await _ in beginning.cancelOnGracefulShutdown() {}
        if Task.isCancelled || Task.isShuttingDownGracefully { return }
        try await service.run()
    }
}
