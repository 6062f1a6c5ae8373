import Ledger
import LedgerWire

extension DisputesController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listDisputes", "/v1/disputes", .financeRead, .finance,
                "List disputes of payments: open ones oldest first, all or decided ones newest first",
                parameters: [.query("status", .choice(Dispute.Status.self), "only disputes with this status")],
                page: ListBody<DisputeBody>.self)
        ) { $0.list },
        Route(
            .act(
                "decideDispute", "/v1/disputes/{id}/decisions", .financeWrite, .finance,
                "Book how a dispute ended",
                """
                `lost` takes back what is left of the purchase, although the gateway has cancelled nothing; a later \
                cancellation of the same money takes nothing more. `won` releases frozen coins. A dispute that was \
                won can be lost later. One that was booked as lost here can be won: what it took comes back, and what is \
                left of its debt ends. While a refund of the purchase is pending, or approved and not paid, `lost` \
                is refused with `refund_in_progress`: the coins of the refund could come back.
                """,
                parameters: [.dispute],
                body: .json(
                    DisputeDecisionRequestBody.self,
                    .init(
                        "lost", "the buyer got the money back",
                        ["outcome": "lost", "reason": "the acquirer's letter of 2 December"]),
                    .init(
                        "won", "the shop keeps the money",
                        ["outcome": "won", "reason": "the acquirer's letter of 2 December"])),
                answers: [.created(DecidedDisputeBody.self, "The decision is booked.")],
                refusals: [.notFound, .disputeDecided, .disputeNotReversible, .refundInProgress])
        ) { $0.decide },
    ]

    static func make(with deps: Deps) throws -> Self? {
        DisputesController(acts: deps.desks.acts, disputes: deps.desks.disputes)
    }
}
