import Foundation

/// Runs what can block on a thread of its own.
///
/// Tasks have few threads, and the services in the test's process need them.
func onOwnThread<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}
