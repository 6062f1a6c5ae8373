import LedgerWire

extension JournalController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listPostings", "/v1/postings", .financeRead, .finance,
                "List an account's postings, newest first",
                parameters: [
                    .query(
                        "account", .text(1...300), "the name of the account over all stripes", example: "coins:issued",
                        isRequired: true),
                    .query(
                        "before", .text,
                        """
                        only postings recorded before this moment: an RFC 3339 time, or a date, which means its first \
                        moment in the service's time zone
                        """),
                ],
                page: AccountStatementBody.self,
                refusals: [.notFound])
        ) { $0.postings },
        Route(
            .read(
                "getEntry", "/v1/entries/{id}", .financeRead, .finance,
                "Get a journal entry with its postings",
                parameters: [.path("id", .id, "the id of the journal entry", example: 4099)],
                answers: [.ok(JournalEntryBody.self, "The journal entry.")],
                refusals: [.notFound])
        ) { $0.entry },
    ]

    static func make(with deps: Deps) throws -> Self? {
        JournalController(journal: deps.ledger.journal, timeZone: deps.timeZone)
    }
}
