package import Foundation
import Postgres

/// Creates, reads and changes endpoints.
package struct Endpoints: Sendable {
    /// The most endpoints that are not deleted.
    package static let most: Int64 = 1000
    /// The most running replays of one endpoint.
    package static let mostReplays: Int64 = 4
    /// How long the former secret signs too after a rotation.
    package static let grace: Duration = .seconds(24 * 3600)
    /// How long attempts are kept.
    package static let attemptRetention: Duration = .seconds(30 * 24 * 3600)

    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The result of a request with an idempotency key.
    package enum Keyed<Value: Sendable>: Sendable {
        /// Done now.
        case done(Value)
        /// The same request was done before.
        case repeated(Value)
        /// The key was used for another request, at this time.
        case reused(at: Date)
        /// There are too many already.
        case full
    }

    /// Creates an endpoint.
    package func create(_ draft: EndpointDraft) async throws(LedgerError) -> Keyed<Endpoint> {
        try await reading {
            if let created = try await pools.writes.run(Endpoint.insert(draft)) { return .done(created) }
            guard let known = try await pools.writes.run(Endpoint.created(under: draft.key, draft.fingerprint)) else {
                return .full
            }
            return known.isSame ? .repeated(known.endpoint) : .reused(at: known.endpoint.createdAt)
        }
    }

    /// All endpoints that are not deleted, oldest first.
    package func list(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Endpoint, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(Endpoint.list(after: cursor, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// The endpoint with this id; nil: not found, or deleted.
    package func find(_ id: Int64) async throws(LedgerError) -> Endpoint? {
        try await reading { try await pools.reads.run(Endpoint.find(id)) }
    }

    /// What an endpoint did not get; nil: not found.
    package func backlog(of id: Int64) async throws(LedgerError) -> EndpointBacklog? {
        try await reading { try await pools.reads.run(EndpointBacklog.find(of: id)) }
    }

    /// Changes an endpoint; nil: not found.
    ///
    /// An endpoint that is enabled again continues with the first event that it did not get.
    package func change(_ id: Int64, _ change: EndpointChange) async throws(LedgerError) -> Endpoint? {
        try await reading { try await pools.writes.run(Endpoint.change(id, change)) }
    }

    /// Deletes an endpoint, and returns whether there was one.
    package func delete(_ id: Int64) async throws(LedgerError) -> Bool {
        try await reading { try await pools.writes.run(Endpoint.delete(id)) == 1 }
    }

    /// Replaces the secret; for ``grace``, the former one signs too.
    ///
    /// - Returns: the endpoint, and whether it was a repeat, which has no effect; nil: not found.
    package func rotateSecret(
        of id: Int64, to seed: SecretSeed, under key: CallerKey
    ) async throws(LedgerError) -> (endpoint: Endpoint, isRepeat: Bool)? {
        try await reading {
            let rotated = try await pools.writes.run(Endpoint.rotate(id, to: seed, formerFor: Self.grace, under: key))
            if let rotated { return (endpoint: rotated, isRepeat: false) }
            return try await pools.writes.run(Endpoint.find(id)).map { (endpoint: $0, isRepeat: true) }
        }
    }

    /// Sends the events after one and up to another again.
    ///
    /// - Parameters:
    ///   - until: the last event; nil: the latest one.
    ///   - onlyFailed: whether only events that were given up are sent.
    package func replay(
        _ id: Int64, after: Int64, until: Int64?, onlyFailed: Bool, under key: CallerKey
    ) async throws(LedgerError) -> Keyed<Replay> {
        let fingerprint = Fingerprint("\(after)", until.map(String.init), "\(onlyFailed)")
        return try await reading {
            let begun = try await pools.writes.run(
                Replay.insert(
                    of: id, after: after, until: until, onlyFailed: onlyFailed, under: key, fingerprint))
            if let begun { return .done(begun) }
            guard let known = try await pools.writes.run(Replay.requested(of: id, under: key, fingerprint)) else {
                return .full
            }
            return known.isSame ? .repeated(known.replay) : .reused(at: known.replay.requestedAt)
        }
    }

    /// The replays of an endpoint, newest first.
    package func replays(
        of id: Int64, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Replay, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(Replay.list(of: id, after: cursor, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// The attempts at an endpoint of the last 30 days, newest first.
    package func attempts(
        at id: Int64, onlyFailed: Bool = false, after cursor: AttemptCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<DeliveryAttempt, AttemptCursor> {
        try await reading {
            let found = try await pools.reads.run(
                DeliveryAttempt.list(of: id, onlyFailed: onlyFailed, after: cursor, limit: limit))
            let page = Page(found, limit: limit) { $0.last?.cursor }
            return Page(elements: page.elements.map(\.attempt), next: page.next)
        }
    }

    /// Deletes attempts that are older than ``attemptRetention``.
    ///
    /// - Returns: how many rows were deleted; `limit` when there may be more.
    package func purgeAttempts(limit: Int) async throws(LedgerError) -> Int {
        try await reading {
            try await pools.work.run(
                .one(
                    "SELECT purge_endpoint_attempts($1 * interval '1 millisecond', $2)",
                    [Self.attemptRetention.milliseconds, Int64(limit)]))
        }
    }
}
