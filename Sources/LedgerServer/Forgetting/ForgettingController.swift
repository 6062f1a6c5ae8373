import Hummingbird
import Ledger
import LedgerWire

/// Users who are to be forgotten.
struct ForgettingController: Sendable {
    let acts: ForgettingActs

    /// `GET /v1/users/{user}/forgetting`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let found = try await acts.find(of: try context.requireUserInPath()) else {
            throw Problem(.notFound, "nobody asked to forget the user")
        }
        return try Response(json: found)
    }

    /// `GET /v1/forgettings/{id}`, also when the user has another id.
    func find(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let found = try await acts.find(try context.pathID()) else { throw Problem(.notFound) }
        return try Response(json: found)
    }

    /// `PUT /v1/users/{user}/forgetting`.
    func ask(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        let body = try await request.decode(as: ForgettingRequestBody.self, context: context)
        return try Response(
            json: try await acts.ask(
                of: user, because: body.reason.value, by: try context.requirePrincipal().subject))
    }

    /// `DELETE /v1/users/{user}/forgetting`.
    func cancel(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(
            json: try await acts.cancel(
                of: try context.requireUserInPath(), by: try context.requirePrincipal().subject))
    }
}

/// The request to forget a user.
struct ForgettingRequestBody: Decodable {
    let reason: NonEmpty

    typealias CodingKeys = ForgettingRequest.CodingKeys
}
