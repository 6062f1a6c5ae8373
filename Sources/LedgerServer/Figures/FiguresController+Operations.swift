import LedgerWire

extension FiguresController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "getDailyFigures", "/v1/figures/days", .financeRead, .finance,
                "Get what was recorded day by day",
                """
                At most 366 days. Days are days of the service's time zone, by the time of recording. Returned coins \
                and money are subtracted.
                """,
                parameters: [
                    .query("from", .date, "the first day; by default 30 days before `to`"),
                    .query("to", .date, "the day after the last one; by default tomorrow"),
                ],
                answers: [.ok(DailyFiguresBody.self, "The days, oldest first.")])
        ) { $0.days },
        Route(
            .read(
                "getSales", "/v1/figures/sales", .financeRead, .finance,
                "Get what was sold day by day, by product",
                "At most 31 days. Days are days of the service's time zone, by the time of payment.",
                parameters: [
                    .query("from", .date, "the first day; by default 30 days before `to`"),
                    .query("to", .date, "the day after the last one; by default tomorrow"),
                ],
                answers: [.ok(SalesBody.self, "The sales.")])
        ) { $0.sales },
        Route(
            .read(
                "getOpenItems", "/v1/open-items", .financeRead, .finance,
                "Count what is still to be decided",
                "Look at it before you close a period. Each number is counted up to 10,000.",
                answers: [.ok(OpenItemsBody.self, "The numbers.")])
        ) { $0.openItems },
    ]

    static func make(with deps: Deps) throws -> Self? {
        FiguresController(figures: deps.ledger.figures, timeZone: deps.timeZone)
    }
}
