import LedgerWire

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
