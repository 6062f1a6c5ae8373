import Ledger
import LedgerWire

extension FindingsController: Feature {
    /// When a resolved finding is open again, for documents and help.
    static let reopening = """
        It opens again if the gateway reports the payment with a problem again, or if the sum of its hour grows by the \
        limit once more.
        """

    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listFindings", "/v1/findings", .financeRead, .finance,
                "List the payments and endpoints that need a person, oldest first; or resolved ones",
                parameters: [
                    .from,
                    .to,
                    .query(
                        "kind",
                        .choice(Finding.Kind.all.map(\.rawValue)), "only items of this kind"),
                    .query(
                        "status", .choice(Finding.Status.self),
                        "only open findings (default), or only resolved ones"),
                    .query("assignee", .text, "only findings that this person works on"),
                    .query("assigned", .flag, "only findings that somebody, or nobody, works on"),
                    .query(
                        "person", .text,
                        "only findings that this person works on, or has resolved or credited, by the name under which that "
                            + "was recorded"),
                    .query(
                        "sort", .choice(FindingFilter.Sort.self),
                        "the oldest or the newest first; by default open ones oldest first, resolved ones newest first"),
                    .query(
                        "user", .text(1...128),
                        "only findings of this user, or of payments whose receipt the user presented"),
                    .query(
                        "payment", .text(1...64), "only findings of the payment with this `imp_uid` or `payment_id`",
                        example: "imp_448280090638"),
                    .query("order", .text(1...64), "only findings of payments of the order with this `merchant_uid`"),
                ],
                page: ListBody<FindingBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getFinding", "/v1/findings/{id}", .financeRead, .finance,
                "Get a finding, with what people did about it",
                parameters: [.finding],
                answers: [.ok(FindingBody.self, "The finding.")],
                refusals: [.notFound])
        ) { $0.show },
        Route(
            .write(
                "assignFinding", .post, "/v1/findings/{id}/assign", .financeWrite, .finance,
                "Record who works on a finding",
                "Without `assignee`, nobody works on it. `finance` is the name under which support sends it to finance.",
                parameters: [.finding],
                body: .json(
                    AssignRequestBody.self, .init("request", ["assignee": "min"]),
                    .init("send", "send to finance", ["assignee": "finance", "note": "paid twice, wants one back"])),
                answers: [.ok(FindingBody.self, "The finding as it is now.")],
                refusals: [.notFound])
        ) { $0.assign },
        Route(
            .write(
                "addFindingNote", .post, "/v1/findings/{id}/notes", .financeWrite, .finance,
                "Add a note to a finding",
                "A repeat of the finding's last act has no effect.",
                parameters: [.finding],
                body: .json(
                    NoteRequestBody.self,
                    .init("request", ["text": "asked the buyer for the card statement"])),
                answers: [.ok(FindingBody.self, "The finding as it is now.")],
                refusals: [.notFound])
        ) { $0.note },
        Route(
            .write(
                "resolveFinding", .post, "/v1/findings/{id}/resolve", .financeWrite, .finance,
                "Resolve a finding",
                """
                It leaves the list of open findings. \(reopening)
                """,
                parameters: [.finding],
                body: .json(
                    ResolveRequestBody.self,
                    .init("request", ["reason": "cancelled in the gateway's console"])),
                answers: [.ok(FindingBody.self, "The finding as it is now.")],
                refusals: [.notFound])
        ) { $0.resolve },
        Route(
            .write(
                "claimFinding", .post, "/v1/findings/{id}/claim", .financeWrite, .finance,
                "Credit a finding's payment to a user",
                """
                A person has decided to whom the payment belongs. The gateway must confirm it, as for a receipt. A \
                payment of an order is credited to the order's user only. A user of whom there is no record (coins, \
                order or receipt) is refused with `user_unknown`, because the id may be a slip, unless `new_user` is \
                true. No key is needed: the payment is the key.
                """,
                parameters: [.finding],
                body: .json(
                    ClaimRequestBody.self,
                    .init("request", ["user": "ann", "reason": "the card statement shows her name"])),
                answers: [
                    .ok(ReceiptBody.self, "The payment was credited before, to the same user."),
                    .created(ReceiptBody.self, "The payment is credited now."),
                    .accepted(
                        WaitingReceiptBody.self,
                        "The gateway can't confirm the payment now. Nothing is stored: try again later.",
                        headers: [.retryAfter]),
                ],
                refusals: [
                    .notFound, .paymentNotFound, .receiptBelongsToAnotherUser, .claimedBySeveral,
                    .merchantUIDAlreadyCredited, .orderBelongsToAnotherUser, .orderAlreadyCredited, .paymentFailed,
                    .paymentCancelled, .paymentPartiallyCancelled, .merchantUIDMismatch, .amountMismatch,
                    .currencyMismatch, .familyShared, .testPayment, .gatewayOff, .orderNotFound, .orderExpired,
                    .userUnknown, .worthOutOfRange,
                ])
        ) { $0.claim },
        Route(
            .write(
                "refundFinding", .post, "/v1/findings/{id}/refund", .financeWrite, .finance,
                "Give a finding's payment back at the gateway",
                """
                For a payment that is not credited: all that is left of it is cancelled. The finding is resolved when the \
                gateway has done it. While the buyer disputes the payment it is refused with `purchase_disputed`: the money \
                could go back twice. No key is needed: the payment is the key, and a repeat gives nothing back twice.
                """,
                parameters: [.finding],
                body: .json(
                    FindingRefundRequestBody.self, .init("request", ["reason": "paid twice"])),
                answers: [
                    .ok(FindingBody.self, "The gateway returned the money, now or before."),
                    .accepted(
                        FindingBody.self, "The gateway accepted it, and returns the money later.",
                        headers: [.retryAfter]),
                ],
                refusals: [
                    .notFound, .paymentNotFound, .paymentCredited, .paymentFailed, .paymentCancelled, .purchaseDisputed,
                    .refundRefused, .gatewayOff, .gatewayUnavailable,
                ])
        ) { $0.refund },
    ]

    static let personOrders: [any PersonOrder.Type] = [ClaimOrder.self, FindingRefundOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        FindingsController(
            desk: deps.desks.findings, refunds: deps.desks.findingRefunds, timeZone: deps.timeZone)
    }
}
