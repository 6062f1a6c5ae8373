import LedgerWire

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
