import Hummingbird
import Ledger
import LedgerWire

/// Consents to automatic top-up.
struct TopUpsController: Sendable {
    let acts: TopUpActs

    /// `GET /v1/users/{user}/top-up`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let topUp = try await acts.find(of: try context.requireUserInPath()) else {
            throw Problem(.notFound, "the user has not agreed to top-ups")
        }
        return try Response(json: topUp)
    }

    /// `PUT /v1/users/{user}/top-up`: in place of the consent before.
    func agree(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        let body = try await request.decode(as: TopUpRequestBody.self, context: context)
        guard body.billingKey.value.unicodeScalars.count <= TopUpRequestBody.longestKey else {
            throw Problem.invalid(
                pointer: "/billing_key", "/billing_key must have at most \(TopUpRequestBody.longestKey) characters")
        }
        return try Response(
            json: try await acts.agree(
                to: TopUpDraft(
                    user: user, gateway: body.gateway.value, billingKey: body.billingKey.value,
                    product: body.product.value, threshold: body.threshold.coins,
                    monthlyLimit: body.monthlyLimit.price.amount, setBy: try context.requirePrincipal().subject)))
    }

    /// `DELETE /v1/users/{user}/top-up`: ends the consent at once.
    func revoke(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(
            json: try await acts.revoke(
                of: try context.requireUserInPath(), by: try context.requirePrincipal().subject))
    }

    /// `POST /v1/users/{user}/top-up/pause`.
    func pause(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        let body = try await request.decode(as: PauseTopUpRequestBody.self, context: context)
        return try Response(
            json: try await acts.pause(
                of: user, because: body.reason.value, by: try context.requirePrincipal().subject))
    }

    /// `POST /v1/users/{user}/top-up/resume`.
    func resume(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(
            json: try await acts.resume(
                of: try context.requireUserInPath(), by: try context.requirePrincipal().subject))
    }
}

/// The request of a consent.
struct TopUpRequestBody: Decodable {
    /// The most characters of a billing key.
    static let longestKey = 200

    let gateway: NonEmpty
    let billingKey: NonEmpty
    let product: NonEmpty
    let threshold: CoinCount
    let monthlyLimit: WonAmount

    typealias CodingKeys = TopUpRequest.CodingKeys
}

/// The request of a pause.
struct PauseTopUpRequestBody: Decodable {
    let reason: NonEmpty

    typealias CodingKeys = PauseTopUpRequest.CodingKeys
}
