import Synchronization

/// Notices a reader who takes nothing any more.
///
/// An export holds a connection and a snapshot, which keeps the database from clearing old rows away; a reader that has
/// stopped reading must not do that for hours.
final class StallWatch: Sendable {
    private let patience: Duration
    private let waitingSince = Mutex<ContinuousClock.Instant?>(nil)

    init(patience: Duration) {
        self.patience = patience
    }

    /// Runs what waits for the reader.
    func waiting<Output>(_ body: () async throws -> Output) async rethrows -> Output {
        waitingSince.withLock { $0 = .now }
        defer { waitingSince.withLock { $0 = nil } }
        return try await body()
    }

    /// Runs until the task is cancelled.
    ///
    /// - Throws: ``Stalled`` when the reader has been waited for too long.
    func watch() async throws {
        while true {
            try await Task.sleep(for: patience / 10)
            if let since = waitingSince.withLock({ $0 }), .now - since > patience { throw Stalled() }
        }
    }

    /// The reader has taken nothing for too long.
    struct Stalled: Error {}
}
