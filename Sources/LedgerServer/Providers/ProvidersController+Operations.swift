import LedgerWire

extension ProvidersController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listProviders", "/v1/providers", .financeRead, .finance,
                "List the providers with terms, by name",
                page: ListBody<ProviderBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getProvider", "/v1/providers/{provider}", .financeRead, .finance,
                "Get a provider's terms, and what is owed",
                parameters: [.provider],
                answers: [.ok(ProviderBody.self, "The terms that apply now, and what is owed.")],
                refusals: [.notFound])
        ) { $0.show },
        Route(
            .write(
                "setProviderTerms", .put, "/v1/providers/{provider}", .financeWrite, .finance,
                "Set a provider's terms",
                """
                They apply to every later capture for the provider. Earlier captures, and reversals of them, keep \
                the terms of their time. Terms that are equal to the present ones change nothing, so no key is \
                needed.
                """,
                parameters: [.provider],
                body: .json(
                    ProviderTermsRequestBody.self,
                    .init("agent", "we keep a commission of 20 %", ["share_basis_points": 8000, "role": "agent"]),
                    .init(
                        "freelancer", "a share of 60 % is our cost, and 3.3 % of it is withheld",
                        ["share_basis_points": 6000, "role": "principal", "withholding": "business_income"])),
                answers: [.ok(ProviderBody.self, "The terms that apply now, and what is owed.")])
        ) { $0.setTerms },
        Route(
            .list(
                "listProviderTerms", "/v1/providers/{provider}/terms", .financeRead, .finance,
                "List the versions of a provider's terms, newest first",
                parameters: [.provider],
                page: ListBody<ProviderTermsBody>.self)
        ) { $0.history },
        Route(
            .list(
                "getProviderStatement", "/v1/providers/{provider}/statement", .financeRead, .finance,
                "List what a provider earned, lost and was paid, newest first",
                parameters: [.provider],
                page: ListBody<ProviderStatementLineBody>.self)
        ) { $0.statement },
        Route(
            .act(
                "repayClaim", "/v1/providers/{provider}/repayments", .financeWrite, .finance,
                "Record that a provider paid back a claim",
                "The money has reached our bank. A claim is what `payable` of the provider is below zero.",
                parameters: [.provider],
                body: .json(
                    RepaymentRequestBody.self,
                    .init("all", ["amount": 400, "paid_at": "2026-11-20", "bank_reference": "IBK 9"])),
                answers: [.created(RepaymentBody.self, "The repayment is recorded.")],
                refusals: [.exceedsClaim])
        ) { $0.repay },
    ]

    static func make(with deps: Deps) throws -> Self? {
        ProvidersController(
            acts: deps.desks.acts, providers: deps.desks.providers,
            withholding: try deps.configuration[Settings.coins.providerWithholding], timeZone: deps.timeZone)
    }
}
