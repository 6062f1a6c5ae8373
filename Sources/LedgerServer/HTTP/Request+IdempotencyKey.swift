import Hummingbird
import Ledger
import Synchronization

extension Request {
    /// The request's idempotency key.
    ///
    /// - Throws: `idempotency_key_missing`; `invalid_request` for an invalid key.
    func idempotencyKey(_ context: LedgerdRequestContext) throws(Problem) -> CallerKey {
        guard let key = try idempotencyKeyIfAny(context) else { throw Problem(.idempotencyKeyMissing) }
        return key
    }

    /// The request's idempotency key, if given, for routes where it is optional.
    ///
    /// - Throws: `invalid_request` for an invalid key.
    func idempotencyKeyIfAny(_ context: LedgerdRequestContext) throws(Problem) -> CallerKey? {
        guard let text = headers[.idempotencyKey] else { return nil }
        guard let caller = UserID(rawValue: try context.requirePrincipal().subject) else { throw .subjectInvalid }
        guard let key = CallerKey(text, of: caller) else {
            throw .invalid(member: "Idempotency-Key", "the key must be 1 to 255 printable ASCII characters")
        }
        return key
    }
}

/// The idempotency keys of the requests that run in this process.
///
/// A repeat that arrives before the response to the first request is refused. If two processes get the same key, the
/// database lets one of them act, and the other one returns the stored result.
final class RunningKeys: Sendable {
    private let keys = Mutex<Set<CallerKey>>([])

    /// Runs a request, unless one with the same key is running.
    ///
    /// - Throws: `request_in_progress`, and the errors of `body`.
    func run<Answer>(_ key: CallerKey, _ body: () async throws -> Answer) async throws -> Answer {
        guard keys.withLock({ $0.insert(key).inserted }) else { throw Problem(.requestInProgress) }
        defer { _ = keys.withLock { $0.remove(key) } }
        return try await body()
    }
}
