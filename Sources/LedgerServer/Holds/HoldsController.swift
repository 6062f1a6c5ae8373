import Hummingbird
import Ledger
import LedgerWire

/// Holds on users' coins by services.
struct HoldsController: Sendable {
    let acts: KeyedActs
    let holds: HoldActs

    /// `POST /v1/users/{user}/holds`.
    func place(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        return try await acts.perform(request, context, status: .created, as: HoldRequestBody.self) { body, key in
            try await acts.ledger.perform(
                PlaceHold(
                    idempotencyKey: key, user: user, coins: body.coins.coins,
                    timeout: body.timeout?.seconds ?? HoldTimeout.standard, reference: body.reference?.value,
                    reason: body.reason?.value))
        } render: {
            PlacedHoldBody($0)
        }
    }

    /// `GET /v1/holds/{id}`.
    func hold(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: HoldBody(try await holds.find(try context.pathID())))
    }

    /// `POST /v1/holds/{id}/capture`.
    func capture(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .ok, as: CaptureRequestBody.self) { body, key in
            guard body.product == nil || body.provider != nil else {
                throw Problem.missingMember("/provider", "/provider is missing: /product is a product of a provider")
            }
            let hold = try await holds.find(try context.pathID())
            return try await acts.ledger.perform(
                CaptureHold(
                    idempotencyKey: key, user: hold.user, holdID: hold.id, coins: body.coins?.coins,
                    provider: body.provider?.id, item: body.product?.value, isFinal: body.isFinal ?? false,
                    reason: body.reason?.value))
        } render: {
            CapturedHoldBody($0)
        }
    }

    /// `POST /v1/holds/{id}/void`.
    func void(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .ok, as: VoidRequestBody.self) { body, key in
            try await holds.void(
                try await holds.find(try context.pathID()), because: body.reason?.value, under: key)
        } render: {
            VoidedHoldBody($0)
        }
    }
}
