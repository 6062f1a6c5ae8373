import Ledger
import LedgerWire

extension SettlementsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .write(
                "importSettlement", .post, "/v1/settlements", .financeWrite, .finance,
                "Import a settlement file",
                """
                A CSV file of at most 32 MiB, with commas, tabs or semicolons, or an Excel workbook \
                (`application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`). The query maps its columns. Rows of \
                totals are left out. Amounts in a foreign currency need `payment_currency`, with `payout_rate`, `payout_won` or both. The files of stores need no columns: `format=google-play` or `app-store`, and `paid_out_on=2026-12-15` \
                with the day of the payout, which they do not tell. A finance report of the App Store has sums, which \
                settle the oldest purchases; pieces that the books lack are told with both numbers. Its rows in a foreign currency need \
                `currency`, `exchange_rate` and `proceeds` of Apple's summary of payments. What is wrong with the file is told in English or, with `Accept-Language: ko`, \
                in Korean. No key is needed: the content is the key.
                """,
                parameters: [
                    .query(
                        "format", .choice(SettlementImport.Format.allCases.map(\.rawValue), default: "columns"),
                        "`columns`: the query maps the file's columns; `google-play`: an earnings file; `app-store`: a finance report"
                    ),
                    .query(
                        "paid_out_on", .text(1...Int.max),
                        "the day of the payout, such as 2026-12-15; for the files of stores only", isOneOf: true),
                    .query(
                        "currency", .text,
                        "the foreign currency whose rows of a finance report are settled, such as USD; default: won"),
                    .query(
                        "exchange_rate", .text,
                        "the won of one unit of `currency`, such as 1387.40, by Apple's summary of payments"),
                    .query(
                        "proceeds", .text,
                        "the won that Apple paid for all that the report has in `currency`, by the summary"),
                    .query(
                        "payment_id", .text(1...Int.max),
                        "the column of the payment id: its name in the header, or `#1`, `#2`, …", example: "주문번호",
                        isOneOf: true),
                    .query(
                        "gross", .text(1...Int.max),
                        "the column of the gross amount: its name in the header, or `#1`, `#2`, …", example: "거래금액",
                        isOneOf: true),
                    .query(
                        "fee", .text(1...Int.max),
                        "the column of the gateway's fee: its name in the header, or `#1`, `#2`, …", example: "수수료"),
                    .query(
                        "tax", .text(1...Int.max),
                        "the column of the tax on the fee: its name in the header, or `#1`, `#2`, …", example: "부가세"),
                    .query(
                        "net", .text(1...Int.max),
                        "the column of the net amount: its name in the header, or `#1`, `#2`, …", example: "정산금액",
                        isOneOf: true),
                    .query(
                        "paid_out_at", .text(1...Int.max),
                        "the column of the settlement date: its name in the header, or `#1`, `#2`, …", example: "정산일",
                        isOneOf: true),
                    .query(
                        "payment_currency", .text(1...Int.max),
                        "the column of the currency of a row's amounts, such as USD; empty or KRW: won. Default: all are in won"
                    ),
                    .query(
                        "payout_rate", .text(1...Int.max),
                        "the column of the won of one unit of `payment_currency`, at which the row was paid out"),
                    .query(
                        "payout_won", .text(1...Int.max),
                        "the column of the net amount in won; with `payout_rate` both must agree"),
                    .query(
                        "name", .text(1...200, pattern: #"^[^\u0000-\u001F\u007F-\u009F]*$"#, default: "statement"),
                        "the name of the file, for people"),
                    .query(
                        "encoding", .choice(["auto", "utf-8", "cp949"], default: "auto"),
                        "the text encoding; `auto`: UTF-16 with a byte-order mark, UTF-8 or CP949"),
                    .query(
                        "date_format", .text, "the format of dates: `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and separators"
                    ),
                    .query(
                        "time_zone", .text,
                        "the time zone of the dates, such as Asia/Seoul; also of the period of a finance report"),
                    .query(
                        "skip_bad_rows", .flag(default: false),
                        "whether to skip unreadable lines; otherwise one unreadable line refuses the whole file"),
                    .query("dry_run", .flag(default: false), "whether to preview the import without booking"),
                    .header("Accept-Language", .text, "the language of what is wrong with the file", example: "ko"),
                ],
                body: .csv(
                    .init("november", "주문번호,거래금액,수수료,부가세,정산금액,정산일\nimp_448280090638,1000,30,3,967,2026-11-20\n"),
                    orFile: SettlementImport.workbookType),
                answers: [
                    .json(
                        200, .either([SettlementReportBody.self, SettlementPreviewBody.self]),
                        "All lines were booked before, or the request is a dry run."),
                    .created(
                        SettlementReportBody.self, "Lines are booked now.",
                        links: [
                            .init("settlement", "getSettlement", id: "/settlement/id"),
                            .init("rows", "listSettlementRows", id: "/settlement/id"),
                        ]),
                ],
                refusals: [.statementInvalid])
        ) { $0.take },
        Route(
            .list(
                "listSettlements", "/v1/settlements", .financeRead, .finance,
                "List imported settlement files, newest first",
                parameters: [.from, .to],
                page: ListBody<SettlementBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getOutstandingByAge", "/v1/settlements/outstanding/ages", .financeRead, .finance,
                "Get what is outstanding now, by the age of the payments",
                """
                The sums of more than 10,000 payments are kept for ten minutes: `as_of` is the moment of which they are.
                """,
                answers: [.ok(OutstandingAgesBody.self, "The ages, youngest first.")])
        ) { $0.outstandingByAge },
        Route(
            .list(
                "listUnmatchedRows", "/v1/settlements/unmatched", .financeRead, .finance,
                "List the lines of all settlement files whose payment is not in the books, oldest first",
                page: ListBody<SettlementRowBody>.self)
        ) { $0.unmatched },
        Route(
            .list(
                "listReturnedRows", "/v1/settlements/returned", .financeRead, .finance,
                "List the unmatched and dismissed lines whose payment is in the books by now, oldest first",
                "Of the newest 2,000 lines without a payment. `POST /v1/settlements/match` books them.",
                page: ListBody<SettlementRowBody>.self)
        ) { $0.returned },
        Route(
            .list(
                "listUncheckedRows", "/v1/settlements/unchecked", .financeRead, .finance,
                "List the dismissed lines at which nobody else has looked yet, newest first",
                page: ListBody<SettlementRowBody>.self)
        ) { $0.unchecked },
        Route(
            .write(
                "matchSettlementRows", .post, "/v1/settlements/match", .financeWrite, .finance,
                "Book the lines whose payment was credited after their import",
                """
                The lines of `GET /v1/settlements/returned`, dismissed ones too. A line that can't be booked is refused \
                with its reason. No key is needed: a line is booked once.
                """,
                answers: [.ok(SettlementMatchBody.self, "How many lines are booked now.")])
        ) { $0.match },
        Route(
            .read(
                "getSettlement", "/v1/settlements/{id}", .financeRead, .finance,
                "Get an imported settlement file",
                parameters: [.settlement],
                answers: [.ok(SettlementBody.self, "The settlement file.")],
                refusals: [.notFound])
        ) { $0.show },
        Route(
            .list(
                "listSettlementRows", "/v1/settlements/{id}/rows", .financeRead, .finance,
                "List the lines of a settlement file",
                parameters: [
                    .settlement,
                    .query(
                        "status", .choice(SettlementLine.Status.self),
                        "only items with this status"),
                ],
                page: ListBody<SettlementRowBody>.self,
                refusals: [.notFound])
        ) { $0.rows },
        Route(
            .write(
                "dismissSettlementRow", .post, "/v1/settlements/{id}/rows/{line}/dismissal", .financeWrite, .finance,
                "Dismiss a settlement line that is not ours",
                """
                Only an unmatched line. It is no longer listed as unmatched, and no longer open before a closing. If \
                its payment is credited after all, an import of the file books it. No key is needed: a repeat \
                changes nothing.
                """,
                parameters: [.settlement, .path("line", .id, "the line number in the file", example: 2)],
                body: .json(
                    SettlementDismissalRequestBody.self,
                    .init("request", ["reason": "a payment of our other shop"])),
                answers: [.ok(SettlementRowBody.self, "The line as it is now.")],
                refusals: [.notFound, .settlementLineStatusConflict])
        ) { $0.dismiss },
        Route(
            .write(
                "checkSettlementDismissal", .post, "/v1/settlements/{id}/rows/{line}/dismissal/check", .financeWrite,
                .finance,
                "Take a second look at a dismissed line, and agree",
                "By another person than who dismissed it, by the subjects. No key is needed: a repeat changes nothing.",
                parameters: [.settlement, .path("line", .id, "the line number in the file", example: 2)],
                answers: [.ok(SettlementRowBody.self, "The line as it is now.")],
                refusals: [.notFound, .settlementLineStatusConflict],
                meanings: [403: "The token lacks the scope, or its subject dismissed the line."])
        ) { $0.check },
        Route(
            .list(
                "listOutstanding", "/v1/settlements/outstanding", .financeRead, .finance,
                "List the payments that make up what the gateways owe",
                parameters: [
                    .query(
                        "as_of", .dateOrTime(1...256),
                        "the moment of the list; default: now. A date means its first moment")
                ],
                page: OutstandingPageBody.self)
        ) { $0.outstanding },
    ]

    static func make(with deps: Deps) throws -> Self? {
        SettlementsController(ledger: deps.ledger, timeZone: deps.timeZone)
    }
}
