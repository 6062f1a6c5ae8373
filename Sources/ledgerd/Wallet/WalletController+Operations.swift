import Ledger
import LedgerWire

extension WalletController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "getMyBalance", "/v1/me/balance", .user, .me,
                "Get the caller's balance",
                parameters: [
                    .query(
                        "at", .time, "the balance at this past moment, including what was recorded in its millisecond",
                        example: "2026-11-20T10:00:00.000Z")
                ],
                answers: [.ok(BalanceBody.self, "The balance.")])
        ) { $0.ofCaller.balance },
        Route(
            .list(
                "listMyPurchases", "/v1/me/purchases", .user, .me,
                "List the caller's purchases, newest first",
                parameters: [
                    .from,
                    .to,
                    .query(
                        "status", .choice(Purchase.Status.self), "only items with this status"
                    ),
                ],
                page: ListBody<PurchaseBody>.self)
        ) { $0.ofCaller.purchases },
        Route(
            .read(
                "getMyPurchase", "/v1/me/purchases/{id}", .user, .me,
                "Get one of the caller's purchases",
                parameters: [.purchase],
                answers: [.ok(PurchaseBody.self, "The purchase.")],
                refusals: [.notFound])
        ) { $0.ofCaller.purchase },
        Route(
            .list(
                "listMyStatement", "/v1/me/statement", .user, .me,
                "List the acts on the caller's coins, newest first",
                parameters: [
                    .from,
                    .to,
                    .query(
                        "kind",
                        .choice(StatementEntry.kinds),
                        "only acts of this kind; such a page can have fewer items than `limit` without being the last"),
                ],
                page: ListBody<StatementEntryBody>.self)
        ) { $0.ofCaller.statement },
        Route(
            .list(
                "listMyLots", "/v1/me/lots", .user, .me,
                "List the caller's lots that have coins left, by expiry",
                parameters: [
                    .query(
                        "expires_before", .time, "only lots that expire before this moment",
                        example: "2026-11-20T10:00:00.000Z"),
                    .query("kind", .choice(LotKind.self), "only items of this kind"),
                ],
                page: ListBody<LotBody>.self)
        ) { $0.ofCaller.lots },
        Route(
            .list(
                "listMyHolds", "/v1/me/holds", .user, .me,
                "List the caller's holds, newest first",
                parameters: [
                    .from,
                    .to,
                    .query(
                        "status", .choice(Hold.Status.self), "only items with this status"),
                ],
                page: ListBody<HoldBody>.self)
        ) { $0.ofCaller.holds },
        Route(
            .read(
                "getUserBalance", "/v1/users/{user}/balance", .serviceRead, .users,
                "Get a user's balance",
                parameters: [
                    .user,
                    .query(
                        "at", .time, "the balance at this past moment, including what was recorded in its millisecond",
                        example: "2026-11-20T10:00:00.000Z"),
                ],
                answers: [.ok(BalanceBody.self, "The balance.")])
        ) { $0.ofUserInPath.balance },
        Route(
            .list(
                "listUserPurchases", "/v1/users/{user}/purchases", .serviceRead, .users,
                "List a user's purchases, newest first",
                parameters: [
                    .user,
                    .from,
                    .to,
                    .query(
                        "status", .choice(Purchase.Status.self), "only items with this status"
                    ),
                ],
                page: ListBody<PurchaseBody>.self)
        ) { $0.ofUserInPath.purchases },
        Route(
            .read(
                "getUserPurchase", "/v1/users/{user}/purchases/{id}", .serviceRead, .users,
                "Get one of a user's purchases",
                parameters: [.user, .purchase],
                answers: [.ok(PurchaseBody.self, "The purchase.")],
                refusals: [.notFound])
        ) { $0.ofUserInPath.purchase },
        Route(
            .list(
                "listUserStatement", "/v1/users/{user}/statement", .serviceRead, .users,
                "List the acts on a user's coins, newest first",
                parameters: [
                    .user,
                    .from,
                    .to,
                    .query(
                        "kind",
                        .choice(StatementEntry.kinds),
                        "only acts of this kind; such a page can have fewer items than `limit` without being the last"),
                ],
                page: ListBody<StatementEntryBody>.self)
        ) { $0.ofUserInPath.statement },
        Route(
            .list(
                "listUserLots", "/v1/users/{user}/lots", .serviceRead, .users,
                "List a user's lots that have coins left, by expiry",
                parameters: [
                    .user,
                    .query(
                        "expires_before", .time, "only lots that expire before this moment",
                        example: "2026-11-20T10:00:00.000Z"),
                    .query("kind", .choice(LotKind.self), "only items of this kind"),
                ],
                page: ListBody<LotBody>.self)
        ) { $0.ofUserInPath.lots },
        Route(
            .list(
                "listUserHolds", "/v1/users/{user}/holds", .serviceRead, .users,
                "List a user's holds, newest first",
                parameters: [
                    .user,
                    .from,
                    .to,
                    .query(
                        "status", .choice(Hold.Status.self), "only items with this status"),
                ],
                page: ListBody<HoldBody>.self)
        ) { $0.ofUserInPath.holds },
    ]

    static func make(with deps: Deps) throws -> Self? {
        WalletController(ledger: deps.ledger, timeZone: deps.timeZone)
    }
}
