import Hummingbird
import Ledger
import Synchronization

extension Request {
    /// The caller's name for what it asks for, by which the same request again is answered with the first outcome.
    ///
    /// - Throws: `idempotency_key_missing`; `invalid_request` for a key that can't be one.
    func idempotencyKey(_ context: LedgerdRequestContext) throws(Problem) -> CallerKey {
        guard let key = try idempotencyKeyIfAny(context) else { throw Problem(.idempotencyKeyMissing) }
        return key
    }

    /// The same where a name is welcome and not required.
    ///
    /// - Throws: `invalid_request` for a key that can't be one.
    func idempotencyKeyIfAny(_ context: LedgerdRequestContext) throws(Problem) -> CallerKey? {
        guard let text = headers[.idempotencyKey] else { return nil }
        guard let caller = UserID(rawValue: try context.requirePrincipal().subject) else { throw .subjectInvalid }
        guard let key = CallerKey(text, of: caller) else {
            throw .invalid(member: "Idempotency-Key", "the key must be 1 to 255 printable ASCII characters")
        }
        return key
    }
}

/// The keys whose requests run in this process.
///
/// A client that sends a request again before the first one is answered is told to wait. Of two processes that are sent
/// the same key, the database lets one act, and the other finds what became of it.
final class RunningKeys: Sendable {
    private let keys = Mutex<Set<CallerKey>>([])

    /// Runs what the key names, unless it runs already.
    ///
    /// - Throws: `request_in_progress`, and whatever `body` throws.
    func run<Answer>(_ key: CallerKey, _ body: () async throws -> Answer) async throws -> Answer {
        guard keys.withLock({ $0.insert(key).inserted }) else { throw Problem(.requestInProgress) }
        defer { _ = keys.withLock { $0.remove(key) } }
        return try await body()
    }
}
