import Hummingbird
import Ledger
import LedgerWire

/// Reversals of spends and captures by services.
struct ReversalsController: Sendable {
    let acts: KeyedActs
    let reversals: ReversalActs

    /// `POST /v1/spends/{id}/reversals`.
    func reverseSpend(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await reverse(request, context) {
            try await find(try context.pathID(), .spend, orElse: "the spend does not exist")
        }
    }

    /// `POST /v1/holds/{id}/captures/{capture}/reversals`.
    func reverseCapture(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await reverse(request, context) {
            try await find(
                try context.pathID("capture"), .capture(holdID: try context.pathID()),
                orElse: "the hold has no such capture")
        }
    }

    private func reverse(
        _ request: Request, _ context: LedgerdRequestContext, find: () async throws -> Redemption
    ) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: ReversalRequestBody.self) { body, key in
            try await reversals.reverse(
                try await find(), body.coins?.coins, because: body.reason?.value, under: key)
        } render: {
            ReversedRedemptionBody($0)
        }
    }

    private func find(_ id: Int64, _ act: Redemption.Act, orElse detail: String) async throws -> Redemption {
        guard let redemption = try await acts.ledger.redemptions.find(id), redemption.act == act else {
            throw Problem(.notFound, detail)
        }
        return redemption
    }
}

extension ReversalsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "reverseSpend", "/v1/spends/{id}/reversals", .serviceWrite, .acts,
                "Reverse a spend, whole or in part",
                parameters: [.spend],
                body: .json(
                    ReversalRequestBody.self, isRequired: false,
                    .init("whole", "all coins that did not come back yet", [:]),
                    .init("part", ["coins": 10, "reason": "the song was not delivered"])),
                answers: [
                    .created(ReversedRedemptionBody.self, "The coins came back into the lots that they came from.")
                ],
                refusals: [.notFound, .alreadyReversed, .exceedsRedemption, .noPlaceForCoins, .tooManyLots])
        ) { $0.reverseSpend },
        Route(
            .act(
                "reverseCapture", "/v1/holds/{id}/captures/{capture}/reversals", .serviceWrite, .acts,
                "Reverse a capture, whole or in part",
                parameters: [.hold, .capture],
                body: .json(
                    ReversalRequestBody.self, isRequired: false,
                    .init("whole", "all coins that did not come back yet", [:]),
                    .init("part", ["coins": 10, "reason": "the song was not delivered"])),
                answers: [
                    .created(
                        ReversedRedemptionBody.self,
                        """
                        The coins came back into the lots that they came from; the provider has lost them. The hold \
                        stays as it is.
                        """)
                ],
                refusals: [.notFound, .alreadyReversed, .exceedsRedemption, .noPlaceForCoins, .tooManyLots])
        ) { $0.reverseCapture },
    ]

    static let personOrders: [any PersonOrder.Type] = [ReversalOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        ReversalsController(acts: deps.desks.acts, reversals: deps.desks.reversals)
    }
}
