import Ledger
import LedgerWire

extension ExportsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .file(
                "export", "/v1/exports/{report}", .financeRead, .finance,
                "Export a report as a file",
                """
                `from` applies to journal, purchases, lots, audit, adjustments, settlements, payouts, withholding, \
                trial-balance-totals, vat, vouchers and prepaid, and the last two need it; `to` applies to all but reconciliation; `quarter` sets both, \
                where `from` applies. `hledger` and `beancount` apply to the journal, `detail` to trial-balance and \
                trial-balance-totals, `run` to reconciliation. Vouchers need `LEDGERD_VOUCHER_ACCOUNTS`; accounts \
                that it lacks are named in `accounts`. `vat` is 404 if nothing in the period was booked with VAT \
                because `LEDGERD_VAT` was off, and `adjustments` if no accounting policy was ever set. An option that \
                is unknown, repeated or not applicable is refused by name.
                """,
                parameters: [
                    .path(
                        "report",
                        .choice(Report.self), "the report", example: "trial-balance"),
                    .query(
                        "from", .dateOrTime,
                        "only what is effective at this moment or later; a date means its first moment in the time zone"
                    ),
                    .query("to", .dateOrTime, "only what is effective before this moment"),
                    .query(
                        "quarter",
                        .text(
                            pattern:
                                "^(197[1-9]|19[89][0-9]|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])-Q[1-4]$"),
                        """
                        the period: a calendar quarter in the service's time zone, which defaults to Asia/Seoul; not \
                        together with `from` or `to`
                        """, example: "2026-Q4"),
                    .query("as_of", .dateOrTime, "counts only what was recorded by this moment"),
                    .query(
                        "format", .choice(["csv", "jsonl", "xlsx", "hledger", "beancount"], default: "csv"),
                        "the format of the file"),
                    .query(
                        "tz", .text,
                        "the time zone of times in the file and of dates in options; default: `LEDGERD_TIME_ZONE`",
                        example: "Asia/Seoul"),
                    .query(
                        "detail", .choice(["classes", "accounts"], default: "classes"),
                        "the detail of a trial balance"),
                    .query(
                        "run", .whole(0...), "the id of the reconciliation; default: the last completed one",
                        example: 17),
                    .query(
                        "for", .choice(["any", "excel"], default: "any"),
                        "`excel`: a CSV that Excel opens without changing ids and times, with a byte-order mark"),
                    .query(
                        "bom", .flag(default: false),
                        "whether a CSV starts with a byte-order mark; for Excel the default is true"),
                    .query(
                        "language", .choice(["en", "ko"], default: "en"),
                        "the language of the headings of a CSV or XLSX; `en`: the columns' names, for programs"),
                ],
                answers: [
                    .text(
                        "text/csv", "application/x-ndjson", "text/plain",
                        ExportFormat.xlsx.mediaType,
                        description: """
                            The report, streamed. The trailer field `Ledgerd-Export-Trailer` after the last chunk has \
                            row count, totals and SHA-256 as a JSON object, and for a report of a standby \
                            `standby_time`, which is `Ledgerd-Export-Time`; formats other than CSV and XLSX also have \
                            it as their last line. XLSX is written whole before it is sent, with its length, and has \
                            this field as a header. An incomplete export has neither, and its chunked body has no end. The \
                            response is compressed if the request has `Accept-Encoding: gzip`, XLSX as it is.
                            """,
                        example: .init(
                            "trialBalance",
                            """
                            account,currency,debit,credit,accounts
                            bank,KRW,967,0,8
                            coins:deferred-revenue,KRW,0,1000,8

                            """
                        ), headers: [.contentDisposition, .exportServer, .exportTime])
                ],
                refusals: [.notFound, .tooManyExports, .replicaUnavailable])
        ) { $0.export }
    ]

    static func make(with deps: Deps) throws -> Self? {
        ExportsController(
            exports: deps.ledger.exports, timeZone: deps.timeZone,
            accounts: try deps.configuration[Settings.books.voucherAccounts])
    }
}
