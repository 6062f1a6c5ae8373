import Hummingbird
import Ledger
import LedgerWire

/// Disputes of payments, for finance.
struct DisputesController: Sendable {
    let acts: KeyedActs
    let disputes: DisputeActs

    /// `GET /v1/disputes`: open ones oldest first, all or decided ones newest first.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: DisputeCursor.self, filters: "status")
        let found = try await acts.ledger.disputes.list(
            try page.query.choice("status", of: Dispute.Status.self), after: page.after, limit: page.limit)
        return try page.answer(DisputeBody.listName, found.elements.map(DisputeBody.init), next: found.next)
    }

    /// `POST /v1/disputes/{id}/decisions`.
    func decide(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: DisputeDecisionRequestBody.self) { body, key in
            let found = try await disputes.find(try context.pathID())
            let outcome = try body.outcome.choice("/outcome", of: DisputeOutcome.self)
            return try await disputes.decide(found, outcome, because: body.reason.value, under: key)
        } render: {
            DecidedDisputeBody($0)
        }
    }
}

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

/// The request of a decision.
struct DisputeDecisionRequestBody: Decodable {
    let outcome: NonEmpty
    let reason: NonEmpty

    typealias CodingKeys = DisputeDecisionRequest.CodingKeys
}

extension DisputeBody {
    init(_ disputed: DisputedPurchase) {
        let (dispute, purchase) = (disputed.dispute, disputed.purchase)
        self.init(
            id: dispute.id, status: dispute.status.rawValue, user: dispute.user.rawValue, purchaseID: purchase.id,
            gateway: purchase.payment.gateway, merchantUID: purchase.payment.merchantUID, amount: purchase.amount,
            refundedAmount: purchase.refundedAmount, currency: purchase.currency.code,
            gatewayDisputeID: dispute.gatewayID, reason: dispute.reason, openedAt: dispute.openedAt,
            recordedAt: dispute.recordedAt, decidedAt: dispute.decidedAt)
    }
}

extension DecidedDisputeBody {
    init(_ recorded: DisputeRecorded) {
        self.init(
            disputeID: recorded.dispute.id, status: recorded.dispute.status.rawValue, coins: recorded.coins,
            bonusCoins: recorded.bonusCoins, amount: recorded.amount, journalEntryID: recorded.journalEntryID,
            balance: BalanceBody(recorded.balance))
    }
}
