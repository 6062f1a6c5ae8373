import Ledger
import LedgerWire

extension SupportPaymentsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listWaitingReceipts", "/v1/receipts", .support, .support,
                "List the receipts that wait, of all users, oldest first",
                parameters: [
                    .query("reason", .text, "only receipts that wait for this reason", example: "gateway_unavailable")
                ],
                page: ListBody<StoredReceiptBody>.self)
        ) { $0.waitingReceipts },
        Route(
            .read(
                "findPurchases", "/v1/purchases", .support, .support,
                "Find the purchases of a payment, of any user",
                "Give `imp_uid` or `merchant_uid`, not both. Each purchase names its `user`.",
                parameters: [
                    .query(
                        "imp_uid", .named("ImpUID"), "the gateway's payment id", example: "imp_448280090638",
                        isOneOf: true),
                    .query(
                        "merchant_uid",
                        .text(
                            1...64,
                            pattern: #"^[^\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+$"#),
                        "the merchant's payment id; in V2 also the payment id"),
                ],
                answers: [
                    .json(200, .named("FoundPurchases"), "The purchases; none if no payment of that name was credited.")
                ])
        ) { $0.purchases },
        Route(
            .read(
                "getPurchase", "/v1/purchases/{id}", .support, .support,
                "Get a purchase of any user",
                parameters: [.purchase],
                answers: [.ok(PurchaseBody.self, "The purchase, with its `user` and its refunds.")],
                refusals: [.notFound])
        ) { $0.purchase },
        Route(
            .list(
                "listUserReceipts", "/v1/users/{user}/receipts", .support, .support,
                "List a user's receipts that could not be decided at once, newest first",
                """
                A receipt that was credited or refused when it was presented is not in the list, unless several \
                users claimed its payment.
                """,
                parameters: [
                    .user,
                    .query(
                        "status", .choice(StoredReceipt.Status.self),
                        "only items with this status"),
                ],
                page: ListBody<StoredReceiptBody>.self)
        ) { $0.receipts },
        Route(
            .list(
                "listWaitingRefunds", "/v1/refunds", .support, .support,
                "List the pending refunds of all users, oldest first",
                page: ListBody<WaitingRefundBody>.self)
        ) { $0.waitingRefunds },
    ]

    static func make(with deps: Deps) throws -> Self? {
        SupportPaymentsController(ledger: deps.ledger)
    }
}
