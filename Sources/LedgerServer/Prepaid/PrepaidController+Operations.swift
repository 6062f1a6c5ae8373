import LedgerWire

extension PrepaidController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "getPrepaid", "/v1/prepaid", .financeRead, .finance,
                "Compare prepaid coins with the law's limits and with custody",
                """
                docs/prepaid.md says which article of the law each figure follows. Issued won are counted purchase \
                by purchase, so the request costs a scan of up to two years' purchases.
                """,
                answers: [.ok(PrepaidBody.self, "The figures now.")])
        ) { $0.status },
        Route(
            .list(
                "listCustodyBalances", "/v1/custody-balances", .financeRead, .finance,
                "List what custodians held, the last entered first",
                page: ListBody<CustodyBalanceBody>.self)
        ) { $0.list },
        Route(
            .keyed(
                "enterCustodyBalance", "/v1/custody-balances", .financeWrite, .finance,
                "Enter what a custodian held",
                """
                Balances can't be changed: enter the right one after a wrong one. The last balance of each custodian \
                counts. If all of them are less than what must be in custody, a finding `custody_short` is opened; \
                it is resolved when they suffice.
                """,
                body: .json(
                    CustodyBalanceRequestBody.self,
                    .init(
                        "monthEnd",
                        [
                            "custodian": "Example Bank", "method": "trust", "balance": 3_000_000_000,
                            "held_at": "2026-02-01",
                        ])),
                answers: [
                    .created(
                        CustodyBalanceBody.self,
                        "The balance, which was entered now or by an earlier request with the same key.")
                ])
        ) { $0.enter },
    ]

    static func make(with deps: Deps) throws -> Self? {
        PrepaidController(
            prepaid: deps.ledger.prepaid, watch: deps.desks.custody, timeZone: deps.timeZone)
    }
}
