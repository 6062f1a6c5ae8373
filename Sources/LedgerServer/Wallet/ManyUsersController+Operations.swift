import Ledger
import LedgerWire

extension ManyUsersController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .write(
                "queryBalances", .post, "/v1/balances/query", .serviceRead, .users,
                "Get the balances of many users",
                body: .json(BalanceQueryBody.self, .init("two", ["users": ["ann", "bob"]])),
                answers: [.ok(BalancesBody.self, "The balances.")])
        ) { $0.balances },
        Route(
            .list(
                "listExpiringLots", "/v1/lots/expiring", .serviceRead, .users,
                "List the lots of all users that expire before a moment, earliest first",
                parameters: [
                    .query(
                        "before", .time, "only lots that expire before this moment",
                        example: "2026-11-20T10:00:00.000Z", isRequired: true),
                    .query("kind", .choice(LotKind.self), "only items of this kind"),
                ],
                page: ListBody<LotBody>.self)
        ) { $0.expiringLots },
        Route(
            .read(
                "getEarnings", "/v1/providers/{provider}/earnings", .serviceRead, .users,
                "Get a provider's earnings",
                parameters: [.provider],
                answers: [.ok(EarningsBody.self, "The earnings.")])
        ) { $0.earnings },
    ]

    static func make(with deps: Deps) throws -> Self? {
        ManyUsersController(ledger: deps.ledger)
    }
}
