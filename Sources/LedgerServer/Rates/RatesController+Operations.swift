import LedgerWire

extension RatesController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listRates", "/v1/rates", .financeRead, .finance,
                "List the rates of foreign currencies, the last published first",
                "With all versions of each day.",
                parameters: [
                    .query("currency", .text(pattern: code), "only this currency", example: "USD"),
                    .query("from", .date, "only rates of this day or later", example: "2026-11-01"),
                    .query("to", .date, "only rates of days before this one", example: "2026-12-01"),
                ],
                page: ListBody<RateBody>.self, refusals: [.unknownCurrency, .currencyOfBooks])
        ) { $0.list },
        Route(
            .list(
                "listWaitingRates", "/v1/rates/waiting", .financeRead, .finance,
                "List the rates that wait for another person, the last set first",
                page: ListBody<RateBody>.self)
        ) { $0.waiting },
        Route(
            .read(
                "getRate", "/v1/rates/{currency}", .financeRead, .finance,
                "Get the rate that holds at a moment",
                """
                Of the rates that were published by then, it is the newest version of the last day. A day without a rate, \
                such as a Sunday, has the rate of the last day before it. A later correction does not change what held.
                """,
                parameters: [
                    currency,
                    .query(
                        "at", .dateOrTime,
                        """
                        the moment: an RFC 3339 time, or a date, which means its first moment in the service's time zone; \
                        by default now
                        """, example: "2026-11-20T10:00:00Z"),
                ],
                answers: [.ok(RateBody.self, "The rate.")],
                refusals: [.unknownCurrency, .currencyOfBooks, .noRate])
        ) { $0.show },
        Route(
            .write(
                "setRate", .put, "/v1/rates/{currency}/{day}", .financeWrite, .finance,
                "Set the rate of a foreign currency for a day",
                """
                A rate that differs from the day's is its next version, which counts from then on. The first rate of a currency \
                waits for another person, and so does one that is more than 5 % away from the last rate of an earlier day, or \
                from the last one of this day on which two people agreed; what one person alone published in the last 20 hours \
                is passed over. A different rate that waits for the day is withdrawn. No key is needed: a repeat changes \
                nothing.
                """,
                parameters: [currency, day],
                body: .json(
                    RateRequestBody.self,
                    .init(
                        "dollar", "won for one dollar",
                        ["rate": "1387.40", "per": 1, "source": "Seoul Money Brokerage, market average rate"]),
                    .init(
                        "yen", "won for 100 yen",
                        ["rate": "950.12", "per": 100, "source": "Seoul Money Brokerage, cross rate"])),
                answers: [
                    .ok(RateBody.self, "The rate is published."),
                    .accepted(RateBody.self, "The rate waits for the approval of another person."),
                ],
                refusals: [.unknownCurrency, .currencyOfBooks])
        ) { $0.set },
        Route(
            .write(
                "approveRate", .post, "/v1/rates/{currency}/{day}/approval", .financeWrite, .finance,
                "Approve the rate that waits for a day",
                """
                By another person than the proposer (a subject is the same person here, in the console and at a terminal), with \
                the rate as that person has it from its source: another rate is refused. It counts from then on. No key is \
                needed: a repeat changes nothing.
                """,
                parameters: [currency, day],
                body: .json(RateApprovalRequestBody.self, .init("request", ["rate": "1387.40", "per": 1])),
                answers: [.ok(RateBody.self, "The rate is published.")],
                refusals: [.unknownCurrency, .currencyOfBooks, .approvalByProposer, .notFound],
                meanings: [403: "The token lacks the scope, or is the proposer's."])
        ) { $0.approve },
        Route(
            .write(
                "withdrawRate", .post, "/v1/rates/{currency}/{day}/withdrawal", .financeWrite, .finance,
                "Withdraw the rate that waits for a day",
                "No key is needed: a repeat changes nothing.",
                parameters: [currency, day],
                answers: [.ok(RateBody.self, "The rate is withdrawn.")],
                refusals: [.unknownCurrency, .currencyOfBooks, .notFound])
        ) { $0.withdraw },
    ]

    private static let code = "^[A-Z]{3}$"

    private static let currency = Operation.Parameter.path(
        "currency", .text(pattern: code), "the ISO 4217 code of a currency, in capital letters", example: "USD")

    private static let day = Operation.Parameter.path(
        "day", .date, "the day for which the rate is quoted, which must have begun", example: "2026-11-20")

    static func make(with deps: Deps) throws -> Self? {
        RatesController(acts: RateActs(ledger: deps.ledger, timeZone: deps.timeZone))
    }
}
