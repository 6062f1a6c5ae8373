import Postgres

/// The gateways' events, shared by all processes on the database.
public struct WebhookEvents: Sendable {
    /// What became of an event in the end.
    public enum Decision: String, Sendable {
        /// The books are as the gateway says.
        case done
        /// It is about nothing that we keep.
        case ignored
        /// The gateway could not be asked for too long.
        case abandoned
    }

    private let pool: PostgresPool

    init(pool: PostgresPool) { self.pool = pool }

    /// Stores an event, to be worked on at once.
    ///
    /// - Returns: false when the gateway had sent it before, as its own id says; it is not stored again.
    public func store(_ draft: WebhookEventDraft) async throws(LedgerError) -> Bool {
        try await reading { try await pool.run(WebhookEvent.insert(draft)) == 1 }
    }

    /// Takes events that are due, and puts their next turn `lease` ahead, so that no other process takes them meanwhile
    /// and a crash only delays them.
    public func takeDue(limit: Int, lease: Duration) async throws(LedgerError) -> [WebhookEvent] {
        try await reading { try await pool.run(WebhookEvent.takeDue(limit: limit, lease: lease)) }
    }

    /// Has the event worked on again after `delay`.
    public func postpone(_ event: WebhookEvent, because reason: String, by delay: Duration) async throws(LedgerError) {
        try await reading { _ = try await pool.run(event.postpone(because: reason, by: delay)) }
    }

    /// Ends the work on an event.
    public func decide(_ event: WebhookEvent, _ decision: Decision, because outcome: String) async throws(LedgerError) {
        try await reading { _ = try await pool.run(event.decide(decision, because: outcome)) }
    }

    /// How many events wait.
    public func waiting() async throws(LedgerError) -> Int {
        try await reading { try await pool.run(WebhookEvent.count).first ?? 0 }
    }
}
