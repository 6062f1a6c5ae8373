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

extension HoldsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "placeHold", "/v1/users/{user}/holds", .serviceWrite, .acts,
                "Place a hold on a user's coins",
                parameters: [.user],
                body: .json(
                    HoldRequestBody.self,
                    .init("booking", ["coins": 30, "timeout_seconds": 86400, "reference": "booking:7"])),
                answers: [
                    .created(
                        PlacedHoldBody.self, "The coins are on hold.",
                        links: [
                            .init("hold", "getHold", id: "/hold/id"), .init("capture", "captureHold", id: "/hold/id"),
                            .init("void", "voidHold", id: "/hold/id"),
                        ])
                ],
                refusals: [.insufficientCoins, .tooManyLots])
        ) { $0.place },
        Route(
            .read(
                "getHold", "/v1/holds/{id}", .serviceRead, .acts,
                "Get a hold",
                parameters: [.hold],
                answers: [.ok(HoldBody.self, "The hold.")],
                refusals: [.notFound])
        ) { $0.hold },
        Route(
            .act(
                "captureHold", "/v1/holds/{id}/capture", .serviceWrite, .acts,
                "Capture coins of a hold",
                parameters: [.hold],
                body: .json(
                    CaptureRequestBody.self, isRequired: false,
                    .init("visit", "a part, for a provider", ["coins": 30, "provider": "designer-3"]),
                    .init("all", "all coins of the hold", [:])),
                answers: [.ok(CapturedHoldBody.self, "The coins are captured.")],
                refusals: [.notFound, .holdClosed, .holdExpired, .exceedsHold, .tooManyLots])
        ) { $0.capture },
        Route(
            .act(
                "voidHold", "/v1/holds/{id}/void", .serviceWrite, .acts,
                "Void a hold",
                parameters: [.hold],
                body: .json(
                    VoidRequestBody.self, isRequired: false,
                    .init("cancelled", ["reason": "the guest cancelled"])),
                answers: [.ok(VoidedHoldBody.self, "The hold is void. Its remaining coins are in the wallet.")],
                refusals: [.notFound, .holdClosed])
        ) { $0.void },
    ]

    static func make(with deps: Deps) throws -> Self? {
        HoldsController(acts: deps.desks.acts, holds: deps.desks.holds)
    }
}
