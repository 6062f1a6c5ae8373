import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

/// The URLs that events are sent to.
struct EndpointsController: Sendable {
    let acts: EndpointActs

    private var endpoints: Endpoints { acts.ledger.endpoints }

    /// `POST /v1/endpoints`: 201 with the endpoint and its secret.
    ///
    /// An endpoint gets events, so its maker must be allowed to read them.
    func create(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let sender = try acts.requireSender()
        let key = try request.idempotencyKey(context)
        let body = try await request.decode(as: EndpointRequestBody.self, context: context)
        let filter = EndpointFilter(types: try body.types.checkedTypes(), users: try body.users.checkedUsers())
        let created = try await acts.create(
            url: body.url, description: try body.description.checkedDescription() ?? "", filter: filter,
            after: body.after?.number, under: key)
        let endpoint = created.success
        return try Response(
            status: .created, headers: created.headers(location: "/v1/endpoints/\(endpoint.id)"),
            json: EndpointBody(endpoint, secret: sender.secret(of: endpoint)))
    }

    /// `GET /v1/endpoints`: oldest first.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await endpoints.list(after: page.after, limit: page.limit)
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
        let change = EndpointChange(
            url: body.url, description: try body.description.checkedDescription(),
            types: body.types == nil ? nil : try body.types.checkedTypes(),
            users: body.users == nil ? nil : try body.users.checkedUsers(), isEnabled: body.isEnabled)
        let mayWiden = try context.requirePrincipal().scopes.contains(.events)
        return try Response(json: EndpointBody(try await acts.change(id, change, mayWiden: mayWiden)))
    }

    /// `DELETE /v1/endpoints/{id}`: 204.
    func delete(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.delete(try context.pathID())
        return Response(status: .noContent)
    }

    /// `POST /v1/endpoints/{id}/rotate-secret`: the endpoint with its new secret; the former one signs too for a day.
    func rotateSecret(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let sender = try acts.requireSender()
        let key = try request.idempotencyKey(context)
        let rotated = try await acts.rotateSecret(of: try context.pathID(), under: key)
        return try Response(
            headers: rotated.headers(),
            json: EndpointBody(rotated.success, secret: sender.secret(of: rotated.success)))
    }

    /// `POST /v1/endpoints/{id}/test`: sends a test event now, and tells what became of it.
    func test(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let attempt = try await acts.requireSender().test(try await endpoint(context))
        return try Response(json: DeliveryBody(attempt, at: Time.current.now))
    }

    /// `GET /v1/endpoints/{id}/deliveries`: attempts, newest first; `?failed=true` only failed ones.
    func deliveries(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let endpoint = try await endpoint(context)
        let page = try PageRequest(request, position: AttemptCursor.self, filters: "failed")
        let onlyFailed = try page.query.parsed("failed", "true or false") { Bool($0) } ?? false
        let found = try await endpoints.attempts(
            at: endpoint.id, onlyFailed: onlyFailed, after: page.after, limit: page.limit)
        return try page.answer(DeliveryBody.listName, found.elements.map(DeliveryBody.init), next: found.next)
    }

    /// `POST /v1/endpoints/{id}/replay`: 202; the events are sent again.
    func replay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let endpoint = try await endpoint(context)
        let body = try await request.decode(as: ReplayRequestBody.self, context: context)
        let replay = try await acts.replay(
            to: endpoint, after: body.after.number, until: body.until?.number, onlyFailed: body.onlyFailed ?? false,
            under: key)
        return try Response(status: .accepted, headers: replay.headers(), json: ReplayBody(replay.success))
    }

    /// `GET /v1/endpoints/{id}/replays`: newest first.
    func replays(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let endpoint = try await endpoint(context)
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await endpoints.replays(of: endpoint.id, after: page.after, limit: page.limit)
        return try page.answer(ReplayBody.listName, found.elements.map(ReplayBody.init), next: found.next)
    }

    private func endpoint(_ context: LedgerdRequestContext) async throws -> Endpoint {
        try await acts.find(try context.pathID())
    }
}
