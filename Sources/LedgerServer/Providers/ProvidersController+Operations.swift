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
        Route(
            .list(
                "listProviderAccounts", "/v1/providers/{provider}/accounts", .financeRead, .finance,
                "List the bank accounts that payouts to a provider went to, newest first",
                "Of an account that is neither in force nor proposed, only who proposed, approved and ended it is left.",
                parameters: [.provider],
                page: ListBody<ProviderAccountBody>.self)
        ) { $0.accounts },
        Route(
            .write(
                "proposeProviderAccount", .put, "/v1/providers/{provider}/account", .financeWrite, .finance,
                "Propose the bank account that payouts to a provider go to",
                """
                Another person has to approve it. It is kept until then, and while it is in force; another proposal is \
                withdrawn by it. No key is needed: a repeat changes nothing.
                """,
                parameters: [.provider],
                body: .json(
                    ProviderAccountRequestBody.self,
                    .init("request", ["bank": "신한", "number": "110-123-456789", "holder": "홍길동"])),
                answers: [
                    .ok(ProviderAccountBody.self, "The account is in force already."),
                    .accepted(ProviderAccountBody.self, "The account waits for the approval of another person."),
                ],
                refusals: [.notFound])
        ) { $0.proposeAccount },
        Route(
            .write(
                "approveProviderAccount", .post, "/v1/providers/{provider}/accounts/{id}/approval", .financeWrite,
                .finance,
                "Approve a provider's bank account",
                """
                By another person than the proposer (a subject is the same person here, in the console and at a terminal), \
                with the number as that person has it from the provider: another number is refused. The account that was in force is erased. No key is needed: a \
                repeat changes nothing.
                """,
                parameters: [.provider, account],
                body: .json(
                    ProviderAccountApprovalRequestBody.self, .init("request", ["number": "110-123-456789"])),
                answers: [.ok(ProviderAccountBody.self, "The account is in force.")],
                refusals: [.approvalByProposer, .notFound],
                meanings: [403: "The token lacks the scope, or is the proposer's."])
        ) { $0.approveAccount },
        Route(
            .write(
                "withdrawProviderAccount", .post, "/v1/providers/{provider}/accounts/{id}/withdrawal", .financeWrite,
                .finance,
                "Withdraw a proposed bank account",
                "It is erased. No key is needed: a repeat changes nothing.",
                parameters: [.provider, account],
                answers: [.ok(ProviderAccountBody.self, "The account is withdrawn.")],
                refusals: [.notFound])
        ) { $0.withdrawAccount },
        Route(
            .write(
                "eraseProviderAccount", .delete, "/v1/providers/{provider}/account", .financeWrite, .finance,
                "Erase a provider's bank accounts",
                "Those in force and proposed. No key is needed: a repeat changes nothing.",
                parameters: [.provider],
                answers: [.init(204, "Nothing is kept.")])
        ) { $0.eraseAccounts },
    ]

    private static let account = Operation.Parameter.path("id", .id, "the id of the account", example: 5)

    static func make(with deps: Deps) throws -> Self? {
        ProvidersController(
            acts: deps.desks.acts, providers: deps.desks.providers,
            terms: deps.desks.providerTerms, timeZone: deps.timeZone)
    }
}
