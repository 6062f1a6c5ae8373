import Ledger
import LedgerWire

extension RevaluationsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listRevaluations", "/v1/revaluations", .financeRead, .finance,
                "List the revaluations of foreign currencies, the last one first",
                page: ListBody<RevaluationBody>.self)
        ) { $0.list },
        Route(
            .act(
                "bookRevaluation", "/v1/revaluations", .financeWrite, .finance,
                "Revalue what is open in a foreign currency at the end of a month that is over",
                """
                Books by how much what gateways owe in the currency is worth more or less than its carrying amount, at \
                the last rate of the month's last seven days, effective at the end of the month, and the opposite on the first of the next \
                month. A month of a currency is revalued once: its revaluation is returned again. So book it after what \
                belongs to the month is in the books and its last rate is published, and before the month is closed.
                """,
                body: .json(
                    RevaluationRequestBody.self,
                    .init("january", ["currency": "USD", "month": "2026-01"])),
                answers: [.ok(RevaluationBody.self, "The revaluation.")],
                refusals: [.periodAlreadyClosed, .periodNotOver, .unknownCurrency, .currencyOfBooks, .noRate])
        ) { $0.book },
        Route(
            .read(
                "getRevaluation", "/v1/revaluations/{id}", .financeRead, .finance,
                "Get a revaluation",
                parameters: [.path("id", .id, "the id of the revaluation", example: 4300)],
                answers: [.ok(RevaluationBody.self, "The revaluation.")],
                refusals: [.notFound])
        ) { $0.show },
    ]

    static func make(with deps: Deps) throws -> Self? {
        RevaluationsController(acts: deps.desks.acts, timeZone: deps.timeZone)
    }
}
