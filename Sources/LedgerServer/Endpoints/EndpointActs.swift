package import Ledger

/// What services and people do with endpoints.
package struct EndpointActs: Sendable {
    let ledger: Ledger
    /// Nil: no webhooks are sent.
    let sender: EndpointSender?

    package init(ledger: Ledger, sender: EndpointSender?) {
        self.ledger = ledger
        self.sender = sender
    }

    private var endpoints: Endpoints { ledger.endpoints }
    private static let notFound = Problem(.notFound, "the endpoint does not exist")
    /// How often a change is compared with an endpoint that others change at the same time.
    private static let mostComparisons = 10

    /// - Throws: `endpoints_off`.
    package func requireSender() throws(Problem) -> EndpointSender {
        guard let sender else { throw Problem(.endpointsOff) }
        return sender
    }

    /// - Throws: `not_found`.
    package func find(_ id: Int64) async throws -> Endpoint {
        guard let endpoint = try await endpoints.find(id) else { throw Self.notFound }
        return endpoint
    }

    /// Creates an endpoint with a new secret.
    ///
    /// - Parameter after: the event after which it starts; nil: the next one that happens.
    /// - Throws: ``InputFault``; `endpoints_off`; `too_many_endpoints`; `idempotency_key_reused`.
    package func create(
        url: String, description: String, filter: EndpointFilter, after: Int64?, under key: CallerKey
    ) async throws -> Performed<Endpoint> {
        let sender = try requireSender()
        try sender.check(url)
        try Self.check(after: after)
        let draft = EndpointDraft(
            url: url, description: description, filter: filter, after: after, secret: sender.keys.newSeed(), key: key)
        return try await endpoints.create(draft).performed("endpoint", full: .tooManyEndpoints)
    }

    /// Changes an endpoint.
    ///
    /// - Parameter mayWiden: whether the caller may make it get more events.
    /// - Throws: ``InputFault``; `endpoints_off` for a URL; `not_found`; `forbidden` and `too_many_at_once` for a caller
    ///   that may not widen it.
    package func change(_ id: Int64, _ asked: EndpointChange, mayWiden: Bool = true) async throws -> Endpoint {
        if let url = asked.url { try requireSender().check(url) }
        var change = asked
        // Somebody else may change it meanwhile: a change that widens nothing is then compared again.
        for _ in 1...Self.mostComparisons {
            if !mayWiden {
                let endpoint = try await find(id)
                if change.widens(endpoint) { throw Problem.forbidden(needs: .events) }
                change.version = endpoint.version
            }
            if let changed = try await endpoints.change(id, change) { return changed }
            if mayWiden { throw Self.notFound }
        }
        throw Problem(.tooManyAtOnce)
    }

    /// - Throws: `not_found`.
    package func delete(_ id: Int64) async throws {
        guard try await endpoints.delete(id) else { throw Self.notFound }
    }

    /// Replaces the secret; the former one signs too for a day.
    ///
    /// - Throws: `endpoints_off`; `not_found`.
    package func rotateSecret(of id: Int64, under key: CallerKey) async throws -> Performed<Endpoint> {
        let seed = try requireSender().keys.newSeed()
        guard let rotated = try await endpoints.rotateSecret(of: id, to: seed, under: key) else { throw Self.notFound }
        return Performed(success: rotated.endpoint, isRepeat: rotated.isRepeat)
    }

    /// Sends the events after one and up to another again.
    ///
    /// - Parameter until: the last event; nil: the latest one.
    /// - Throws: ``InputFault``; `too_many_replays`; `idempotency_key_reused`.
    package func replay(
        to endpoint: Endpoint, after: Int64, until: Int64?, onlyFailed: Bool, under key: CallerKey
    ) async throws -> Performed<Replay> {
        try Self.check(after: after, until: until)
        return try await endpoints.replay(
            endpoint.id, after: after, until: until, onlyFailed: onlyFailed, under: key
        ).performed("replay", full: .tooManyReplays)
    }

    /// Refuses events that there can't be.
    package static func check(after: Int64?, until: Int64? = nil) throws(InputFault) {
        guard let after else { return }
        guard after >= 0 else { throw InputFault("after", "must be the number of an event, or 0") }
        guard until.map({ $0 > after }) ?? true else {
            throw InputFault("until", "must not be before the first event to send")
        }
    }
}

extension Endpoints.Keyed {
    /// What was made, now or by an earlier request with its key.
    fileprivate func performed(_ request: String, full: Problem.Code) throws(Problem) -> Performed<Value> {
        switch self {
        case .done(let value): return Performed(success: value, isRepeat: false)
        case .repeated(let value): return Performed(success: value, isRepeat: true)
        case .reused(let at): throw Problem.keyReused(for: request, at: at)
        case .full: throw Problem(full)
        }
    }
}
