import Ledger
import LedgerWire

extension PayoutsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .keyed(
                "proposePayout", "/v1/payouts", .financeWrite, .finance,
                "Propose a payout to providers",
                """
                Takes what is in no payout: captures before the cut-off, reversals of captures that are paid, and \
                repayments, of up to 1,000 providers to whom more than nothing is owed. If more are left, propose \
                another payout.
                """,
                body: .json(
                    PayoutRequestBody.self,
                    .init("all", "all providers, up to now", [:]),
                    .init(
                        "month", "two providers, up to the end of October",
                        ["cut_off": "2026-11-01", "providers": ["demo-provider", "designer-3"], "note": "October"])),
                answers: [
                    .created(
                        PayoutBody.self, "The payout waits for the approval of another person.", headers: [.location])
                ],
                refusals: [.nothingOwed])
        ) { $0.propose },
        Route(
            .list(
                "listPayouts", "/v1/payouts", .financeRead, .finance,
                "List payouts, newest first",
                parameters: [
                    .query(
                        "status", .choice(Payout.Status.self),
                        "only payouts with this status")
                ],
                page: ListBody<PayoutBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getPayout", "/v1/payouts/{id}", .financeRead, .finance,
                "Get a payout",
                parameters: [.payout],
                answers: [.ok(PayoutBody.self, "The payout.")],
                refusals: [.notFound])
        ) { $0.show },
        Route(
            .list(
                "listPayoutItems", "/v1/payouts/{id}/items", .financeRead, .finance,
                "List what a payout pays to each provider",
                parameters: [.payout],
                page: ListBody<PayoutItemBody>.self,
                refusals: [.notFound])
        ) { $0.items },
        Route(
            .list(
                "listPayoutShares", "/v1/payouts/{id}/shares", .financeRead, .finance,
                "List the captures and reversals that a payout pays",
                "A withdrawn payout has none: they are free for the next one.",
                parameters: [.payout, .query("provider", .text, "only this provider's")],
                page: ListBody<PayoutShareBody>.self,
                refusals: [.notFound])
        ) { $0.shares },
        Route(
            .read(
                "getPayoutFile", "/v1/payouts/{id}/file", .financeRead, .finance,
                "Download a payout's amounts for the bank",
                """
                One row for each provider, in UTF-8, once the payout is approved. It has no bank accounts: \
                `POST` makes the file with them.
                """,
                parameters: [.payout] + fileForms,
                answers: [
                    .text(
                        "text/csv", description: "A CSV file (RFC 4180).",
                        example: .init(
                            "file",
                            """
                            payout_id,provider,amount,income_tax,local_tax,net\r
                            12,designer-3,100000,3000,300,96700\r

                            """
                        ), headers: [.contentDisposition])
                ],
                refusals: [.notFound, .payoutStatusConflict])
        ) { $0.file },
        Route(
            .write(
                "makePayoutFile", .post, "/v1/payouts/{id}/file", .financeWrite, .finance,
                "Add bank accounts to a payout's amounts",
                """
                The same file, with `bank`, `account` and `holder` of each provider: the accounts that are kept and \
                approved, and for providers of whom none was ever approved those of the body: a CSV of at most \
                1 MiB with the columns `provider`, `bank`, `account` and `holder`, in UTF-8, UTF-16 or CP949. \
                Further columns and providers are ignored. The list is not stored, and not logged. A provider \
                of the payout without an account is refused, and so is a list with another number than a kept one, or \
                with a provider whose approved account was erased; `providers` names them. With `layout`, it is the file that \
                a bank takes for bulk transfers, without providers who get nothing.
                """,
                parameters: [.payout] + fileForms + [
                    .query(
                        "layout", .choice(BankLayout.self),
                        "the bank whose layout for bulk transfers the file has; not with `for` and `bom`")
                ],
                body: .csv(
                    isRequired: false,
                    .init("accounts", "provider,bank,account,holder\r\ndesigner-3,신한,110-123-456789,홍길동\r\n")),
                answers: [
                    .text(
                        "text/csv", description: "A CSV file (RFC 4180).",
                        example: .init(
                            "file",
                            """
                            payout_id,provider,amount,income_tax,local_tax,net,bank,account,holder\r
                            12,designer-3,100000,3000,300,96700,신한,110-123-456789,홍길동\r

                            """
                        ), headers: [.contentDisposition])
                ],
                refusals: [.notFound, .payoutStatusConflict])
        ) { $0.fileWithAccounts },
        Route(
            .write(
                "approvePayout", .post, "/v1/payouts/{id}/approval", .financeWrite, .finance,
                "Approve a payout",
                """
                By another person than the proposer: a subject is the same person here, in the console and at a \
                terminal. No key is needed: a repeat changes nothing.
                """,
                parameters: [.payout],
                answers: [.ok(PayoutBody.self, "The bank can pay it.")],
                refusals: [.approvalByProposer, .notFound, .payoutStatusConflict],
                meanings: [403: "The token lacks the scope, or is the proposer's."])
        ) { $0.approve },
        Route(
            .write(
                "withdrawPayout", .post, "/v1/payouts/{id}/withdrawal", .financeWrite, .finance,
                "Withdraw a payout that is not paid",
                "Its captures and reversals are free for the next payout. No key is needed: a repeat changes nothing.",
                parameters: [.payout],
                body: .json(
                    PayoutWithdrawalRequestBody.self, isRequired: false,
                    .init("request", ["reason": "wrong month"])),
                answers: [.ok(PayoutBody.self, "The payout is withdrawn.")],
                refusals: [.notFound, .payoutStatusConflict])
        ) { $0.withdraw },
        Route(
            .act(
                "payPayout", "/v1/payouts/{id}/payment", .financeWrite, .finance,
                "Book that the bank has paid a payout",
                parameters: [.payout],
                body: .json(
                    PayoutPaymentRequestBody.self,
                    .init("request", ["paid_at": "2026-11-20", "bank_reference": "bulk transfer 7"])),
                answers: [.ok(PayoutBody.self, "The payment is in the books.")],
                refusals: [.notFound, .payoutStatusConflict, .paymentDateImplausible])
        ) { $0.pay },
    ]

    /// The forms of a CSV file.
    private static let fileForms: [Operation.Parameter] = [
        .query(
            "for", .choice(["any", "excel"], default: "any"),
            "`excel`: a CSV that Excel opens without changing ids and account numbers, with a byte-order mark"),
        .query(
            "bom", .flag(default: false),
            "whether the CSV starts with a byte-order mark; for Excel the default is true"),
    ]

    static func make(with deps: Deps) throws -> Self? {
        PayoutsController(acts: deps.desks.acts, deciding: deps.desks.payouts, timeZone: deps.timeZone)
    }
}
