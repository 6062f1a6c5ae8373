import LedgerWire

extension CustomersController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "searchCustomers", "/v1/search", .support, .support,
                "Find customers by any name that they tell",
                "At most 50 matches, in one response.",
                parameters: [
                    .query(
                        "name", .text(pattern: #"^[^\u0000-\u001F\u007F-\u009F]*$"#),
                        """
                        a user, `imp_uid`, `merchant_uid` or `payment_id`, or the id of a purchase, refund, hold, \
                        order or kept receipt; names are compared exactly. `kim*` also finds the first 20 users that begin with \
                        `kim`
                        """, example: "imp_448280090638", isRequired: true)
                ],
                answers: [.ok(ListBody<SearchMatchBody>.self, "What has this name.")])
        ) { $0.search },
        Route(
            .list(
                "listUserTimeline", "/v1/users/{user}/timeline", .support, .support,
                "List everything that happened to a user, newest first",
                """
                Acts on the user's coins, receipts that could not be decided at once, orders, and notes, in one \
                list.
                """,
                parameters: [.user],
                page: ListBody<TimelineItemBody>.self)
        ) { $0.timeline },
        Route(
            .list(
                "listUserNotes", "/v1/users/{user}/notes", .support, .support,
                "List the notes on a user, newest first",
                parameters: [.user],
                page: ListBody<CustomerNoteBody>.self)
        ) { $0.notes },
        Route(
            .keyed(
                "addUserNote", "/v1/users/{user}/notes", .support, .support,
                "Write a note on a user",
                parameters: [.user],
                body: .json(
                    CustomerNoteRequestBody.self,
                    .init("call", ["text": "called about a missing purchase"])),
                answers: [
                    .created(
                        CustomerNoteBody.self,
                        "The note, which was written now or by an earlier request with the same key.")
                ],
                traits: [.unmarkedRepeats])
        ) { $0.add },
        Route(
            .file(
                "exportUser", "/v1/users/{user}/export", .support, .support,
                "Export all that is held about a user",
                """
                For a user who asks what is held about them. It does not name the shop's people, and of a bank account \
                it says only that there is one. If nothing is held about the user, it has no rows.
                """,
                parameters: [.user],
                answers: [
                    .text(
                        "application/x-ndjson",
                        description: """
                            Each line is a row of a table, as a JSON object; all rows are of one moment. The last line \
                            has the number of rows. An incomplete export has no such line, and its chunked body has no end.
                            """,
                        example: .init(
                            "note",
                            """
                            {"row": {"id": 3, "text": "called about a missing purchase", "user_id": "demo-user", \
                            "written_at": "2026-11-01T01:12:03+00:00"}, "table": "customer_note"}
                            {"rows": 1}

                            """),
                        headers: [.contentDisposition, .exportServer, .exportTime])
                ],
                refusals: [.tooManyExports, .replicaUnavailable])
        ) { $0.export },
    ]

    static func make(with deps: Deps) throws -> Self? {
        CustomersController(ledger: deps.ledger)
    }
}
