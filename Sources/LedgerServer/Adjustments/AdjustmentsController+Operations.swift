import Ledger
import LedgerWire

extension AdjustmentsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listAccountingPolicies", "/v1/accounting-policies", .financeRead, .finance,
                "List the accounting policies, the last set first",
                page: ListBody<AccountingPolicyBody>.self)
        ) { $0.listPolicies },
        Route(
            .write(
                "setAccountingPolicy", .put, "/v1/accounting-policies/{subject}/{month}", .financeWrite, .finance,
                "Set how breakage or bonus coins are accounted for from a month on",
                """
                It applies until a policy of a later month. A month whose adjustment is booked, or that is closed, \
                keeps its policy. A policy that is equal to the present one of the month changes nothing, so no key \
                is needed.
                """,
                parameters: [
                    .path(
                        "subject", .choice(AccountingPolicy.Subject.self), "what the policy is about",
                        example: "breakage"),
                    .path(
                        "month", .text(pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$"),
                        "the first month to which it applies, in the service's time zone", example: "2026-01"),
                ],
                body: .json(
                    AccountingPolicyRequestBody.self,
                    .init(
                        "expectedPattern", "10 % of paid coins are never used, 8 % with high probability",
                        ["method": "expected_pattern", "expected": 100, "highly_probable": 80])),
                answers: [.ok(AccountingPolicyBody.self, "The policy.")],
                refusals: [.notFound, .periodAlreadyClosed, .monthAdjusted])
        ) { $0.setPolicy },
        Route(
            .list(
                "listAdjustments", "/v1/adjustments", .financeRead, .finance,
                "List the adjustments of months, the last one first",
                "Without what they come from.",
                page: ListBody<AdjustmentBody>.self)
        ) { $0.list },
        Route(
            .act(
                "bookAdjustment", "/v1/adjustments", .financeWrite, .finance,
                "Book the adjustment of a month that is over",
                """
                Books what is missing to the balance that the month's policy says, effective at the end of the \
                month. If nothing is missing, the month's last adjustment is returned. Months are adjusted in order; \
                a closed month is not adjusted.
                """,
                body: .json(
                    AdjustmentRequestBody.self,
                    .init("january", ["subject": "breakage", "month": "2026-01"])),
                answers: [.ok(AdjustmentBody.self, "The adjustment, with what it comes from.")],
                refusals: [
                    .periodAlreadyClosed, .monthAdjusted, .policyChanged, .periodNotOver, .noAccountingPolicy,
                ])
        ) { $0.book },
        Route(
            .read(
                "previewAdjustment", "/v1/adjustments/preview", .financeRead, .finance,
                "Preview the adjustment of a month",
                """
                Nothing is booked. It reads the purchases of all months, which can take minutes on large books: do \
                not poll it.
                """,
                parameters: [
                    .query(
                        "subject", .choice(AccountingPolicy.Subject.self), "what to adjust", example: "breakage",
                        isRequired: true),
                    .query(
                        "month", .text(pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$"), "the month, in the service's time zone",
                        example: "2026-01", isRequired: true),
                ],
                answers: [.ok(AdjustmentPreviewBody.self, "What would be booked.")])
        ) { $0.preview },
        Route(
            .read(
                "getAdjustment", "/v1/adjustments/{id}", .financeRead, .finance,
                "Get an adjustment, with what it comes from",
                parameters: [.adjustment],
                answers: [.ok(AdjustmentBody.self, "The adjustment.")],
                refusals: [.notFound])
        ) { $0.show },
    ]

    static func make(with deps: Deps) throws -> Self? {
        AdjustmentsController(acts: deps.desks.acts, timeZone: deps.timeZone)
    }
}
