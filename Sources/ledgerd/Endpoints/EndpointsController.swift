import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

/// The URLs that events are sent to.
struct EndpointsController: Sendable {
    let ledger: Ledger
    /// nil: no webhooks are sent.
    let desk: EndpointDesk?

    /// `POST /v1/endpoints`: 201 with the endpoint and its secret.
    ///
    /// An endpoint gets events, so its maker must be allowed to read them.
    func create(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let desk = try requireDesk()
        let key = try request.idempotencyKey(context)
        let body = try await request.decode(as: EndpointRequestBody.self, context: context)
        try desk.check(body.url)
        let filter = EndpointFilter(types: try body.types.checkedTypes(), users: try body.users.checkedUsers())
        let result = try await desk.create(
            url: body.url, description: try body.description.checkedDescription() ?? "", filter: filter,
            after: body.after?.number, under: key)
        return try answer(result, to: .endpoint, full: Problem(.tooManyEndpoints)) { endpoint in
            (EndpointBody(endpoint, secret: desk.secret(of: endpoint)), "/v1/endpoints/\(endpoint.id)")
        }
    }

    /// `GET /v1/endpoints`: oldest first.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await ledger.endpoints.list(after: page.after, limit: page.limit)
        return try page.answer(EndpointBody.listName, found.elements.map { EndpointBody($0) }, next: found.next)
    }

    /// `GET /v1/endpoints/{id}`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: EndpointBody(try await endpoint(context)))
    }

    /// `PATCH /v1/endpoints/{id}`: members that are not given stay.
    ///
    /// A caller that may not read events can only make the endpoint get fewer of them.
    func change(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let id = try context.pathID()
        let body = try await request.decode(as: EndpointChangeRequestBody.self, context: context)
        if let url = body.url { try requireDesk().check(url) }
        var change = EndpointChange(
            url: body.url, description: try body.description.checkedDescription(),
            types: body.types == nil ? nil : try body.types.checkedTypes(),
            users: body.users == nil ? nil : try body.users.checkedUsers(), isEnabled: body.isEnabled)
        let mayWiden = try context.requirePrincipal().scopes.contains(.events)
        // Somebody else may change it meanwhile: a change that widens nothing is then compared again.
        for _ in 1...Self.mostComparisons {
            if !mayWiden {
                let endpoint = try await endpoint(context)
                if change.widens(endpoint) { throw Problem.forbidden(needs: .events) }
                change.version = endpoint.version
            }
            if let changed = try await ledger.endpoints.change(id, change) {
                return try Response(json: EndpointBody(changed))
            }
            if mayWiden { throw Self.notFound }
        }
        throw Problem(.tooManyAtOnce)
    }

    /// `DELETE /v1/endpoints/{id}`: 204.
    func delete(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard try await ledger.endpoints.delete(try context.pathID()) else { throw Self.notFound }
        return Response(status: .noContent)
    }

    /// `POST /v1/endpoints/{id}/rotate-secret`: the endpoint with its new secret; the former one signs too for a day.
    func rotateSecret(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let desk = try requireDesk()
        let key = try request.idempotencyKey(context)
        guard let rotated = try await desk.rotateSecret(of: try context.pathID(), under: key) else {
            throw Self.notFound
        }
        return try Response(
            headers: rotated.isRepeat ? [.idempotentReplayed: "true"] : [:],
            json: EndpointBody(rotated.endpoint, secret: desk.secret(of: rotated.endpoint)))
    }

    /// `POST /v1/endpoints/{id}/test`: sends a test event now, and tells what became of it.
    func test(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let attempt = try await requireDesk().test(try await endpoint(context))
        return try Response(json: DeliveryBody(attempt, at: Time.current.now))
    }

    /// `GET /v1/endpoints/{id}/deliveries`: attempts, newest first; `?failed=true` only failed ones.
    func deliveries(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let endpoint = try await endpoint(context)
        let page = try PageRequest(request, position: AttemptCursor.self, filters: "failed")
        let onlyFailed = try page.query.parsed("failed", "true or false") { Bool($0) } ?? false
        let found = try await ledger.endpoints.attempts(
            at: endpoint.id, onlyFailed: onlyFailed, after: page.after, limit: page.limit)
        return try page.answer(DeliveryBody.listName, found.elements.map(DeliveryBody.init), next: found.next)
    }

    /// `POST /v1/endpoints/{id}/replay`: 202; the events are sent again.
    func replay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let endpoint = try await endpoint(context)
        let body = try await request.decode(as: ReplayRequestBody.self, context: context)
        if EndpointDesk.isNothing(after: body.after.number, until: body.until?.number) {
            throw Problem.invalid(pointer: "/until", "until must be greater than after")
        }
        let result = try await ledger.endpoints.replay(
            endpoint.id, after: body.after.number, until: body.until?.number, onlyFailed: body.onlyFailed ?? false,
            under: key)
        return try answer(result, to: .replay, status: .accepted, full: Problem(.tooManyReplays)) { replay in
            (ReplayBody(replay), nil)
        }
    }

    /// `GET /v1/endpoints/{id}/replays`: newest first.
    func replays(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let endpoint = try await endpoint(context)
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await ledger.endpoints.replays(of: endpoint.id, after: page.after, limit: page.limit)
        return try page.answer(ReplayBody.listName, found.elements.map(ReplayBody.init), next: found.next)
    }
}

extension EndpointsController {
    private static let notFound = Problem(.notFound, "the endpoint does not exist")
    /// How often a change is compared with an endpoint that others change at the same time.
    private static let mostComparisons = 10

    private func requireDesk() throws(Problem) -> EndpointDesk {
        guard let desk else { throw Problem(.endpointsOff) }
        return desk
    }

    private func endpoint(_ context: LedgerdRequestContext) async throws -> Endpoint {
        guard let endpoint = try await ledger.endpoints.find(try context.pathID()) else { throw Self.notFound }
        return endpoint
    }

    /// The response to a request with an idempotency key.
    private func answer<Value, Body: Encodable>(
        _ result: Endpoints.Keyed<Value>, to request: KeyedRequest, status: HTTPResponse.Status = .created,
        full: Problem,
        _ render: (Value) -> (body: Body, location: String?)
    ) throws -> Response {
        let (value, isRepeat): (Value, Bool)
        switch result {
        case .done(let done): (value, isRepeat) = (done, false)
        case .repeated(let done): (value, isRepeat) = (done, true)
        case .reused(let at): throw Problem.keyReused(for: request, at: at)
        case .full: throw full
        }
        let (body, location) = render(value)
        var headers: HTTPFields = isRepeat ? [.idempotentReplayed: "true"] : [:]
        headers[.location] = location
        return try Response(status: status, headers: headers, json: body)
    }
}
