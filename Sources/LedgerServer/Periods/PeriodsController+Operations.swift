import LedgerWire

extension PeriodsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listPeriods", "/v1/periods", .financeRead, .finance,
                "List the closings of the books, newest first",
                parameters: [.from, .to],
                page: ListBody<ClosedPeriodBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getClosingChecklist", "/v1/periods/checklist", .financeRead, .finance,
                "Show what is open before a closing",
                """
                Nothing of it keeps a period from being closed. It shows the present state, also for a period that \
                is closed already.
                """,
                parameters: [
                    .query(
                        "until", .dateOrTime,
                        "the end of the period; a date means its first moment in the service's time zone",
                        example: "2026-02-01", isRequired: true),
                    .query(
                        "unsettled_days", .whole(0...3660, default: 14),
                        "a payment that is outstanding since more days before `until` is open"),
                ],
                answers: [.ok(ClosingChecklistBody.self, "The questions, with what is open.")])
        ) { $0.checklist },
        Route(
            .write(
                "closePeriod", .post, "/v1/periods/close", .financeWrite, .finance,
                "Close everything effective before a moment",
                "A closed period can't be opened again. No key is needed: the moment is the key.",
                body: .json(CloseRequestBody.self, .init("january", ["until": "2026-02-01"])),
                answers: [
                    .ok(ClosingBody.self, "The period was closed before. The response has the first closing."),
                    .created(ClosingBody.self, "The books are closed now."),
                ],
                refusals: [.periodAlreadyClosed, .periodNotOver])
        ) { $0.close },
    ]

    static func make(with deps: Deps) throws -> Self? {
        PeriodsController(ledger: deps.ledger, timeZone: deps.timeZone)
    }
}
