import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// What a service that is broken, or in somebody else's hands, can do with the functions that credit purchases: claim a
/// payment that did not happen, as it always could, and nothing that the doctor would find.
@Suite(.timeLimit(.minutes(20))) struct ForgedClaimTests {
    @Test func `a purchase that is claimed as it should be is credited, by either function`() async throws {
        try await Self.with { service, _ in
            for call in [ForgedClaim.call(), ForgedClaim.callForMany([[:]])] {
                let error = try await service.refusal(ofTransaction: call)
                #expect(error == nil, "\(error?.description ?? "")")
            }
        }
    }

    @Test func `a claim that can't be true is refused, by either function`() async throws {
        try await Self.with { service, test in
            for claim in ForgedClaim.all {
                for call in claim.calls {
                    let error = await service.refusal(of: call)
                    #expect(
                        ["22", "23"].contains(error?.sqlState?.classCode),
                        "\(claim.name): \(error?.description ?? "was credited") \(call.prefix(30))")
                }
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `claims that contradict each other are refused together`() async throws {
        try await Self.with { service, test in
            for (name, call) in ForgedClaim.ofSeveral {
                let error = await service.refusal(of: call)
                #expect(
                    ["21", "22", "23"].contains(error?.sqlState?.classCode),
                    "\(name): \(error?.description ?? "was credited")")
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `a stripe without system accounts gets no entry`() async throws {
        try await Self.with { service, _ in
            for call in [ForgedClaim.call(["stripe": "99"]), ForgedClaim.callForMany([["stripe": "99"]])] {
                #expect(await service.refusal(of: call)?.constraint == "crediting_in_a_stripe")
            }
        }
    }

    @Test func `a user in debt, an account that is full and an old state are left to the plan`() async throws {
        try await Self.with { service, test in
            func expectLeft(_ name: String) async {
                for call in [ForgedClaim.call(), ForgedClaim.callForMany([[:]])] {
                    let error = await service.refusal(of: call)
                    #expect(error?.sqlState?.rawValue == "55000", "\(name): \(error?.description ?? "was credited")")
                }
            }
            try await service.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let old = await service.refusal(of: ForgedClaim.call())
            #expect(old?.sqlState?.rawValue == "55000")
            try await service.execute("ROLLBACK")
            let superuser = try await test.database.connect()
            try await superuser.execute("SET session_replication_role = replica")
            try await superuser.execute(
                """
                INSERT INTO account (id, stripe, code, owner, currency, normal_side, debits, seq)
                SELECT 900001, stripe, 'debt:ann', 'ann', 'COIN', 'D', 5, 1 FROM account WHERE code = 'wallet:ann:paid'
                """)
            await expectLeft("debt")
            try await superuser.execute("UPDATE account SET debits = 0 WHERE id = 900001")
            try await superuser.execute(
                "UPDATE account SET credits = \(Account.fullTotal) + 1, debits = \(Account.fullTotal) WHERE code = 'wallet:ann:paid'"
            )
            await expectLeft("a full wallet")
            try await superuser.execute(
                """
                UPDATE account SET credits = 100, debits = 0, posted_at = now() + interval '32 days'
                WHERE code = 'wallet:ann:paid'
                """)
            await expectLeft("a wallet of the future")
            await superuser.close()
        }
    }

    @Test func `facts of the service's own on the entry of a function are refused`() async throws {
        try await Self.with { service, test in
            for (name, sql) in ForgedClaim.additions {
                for call in [ForgedClaim.call(), ForgedClaim.callForMany([[:]])] {
                    let error = try await service.refusal(ofTransaction: call + sql)
                    #expect(error?.constraint != nil, "\(name): \(error?.description ?? "was done")")
                }
            }
            try await Audit.expectSound(test)
        }
    }

    /// The setting is for the functions of the tables' owner; anybody can say it.
    @Test func `the service is judged, whatever it says in the setting of the functions`() async throws {
        try await Self.with { service, test in
            try await service.execute("SET ledgerd.crediting = 'on'")
            for role in ["", "SET LOCAL ROLE ledgerd_service;"] {
                for forgery in Forgery.all.prefix(3) {
                    let error = try await service.refusal(ofTransaction: role + forgery.sql)
                    #expect(
                        error?.constraint == forgery.constraint, "\(forgery.name): \(error?.description ?? "was done")")
                }
            }
            let after = try await service.refusal(ofTransaction: ForgedClaim.call() + Forgery.entry("spend"))
            #expect(after?.constraint == "transaction_facts_agree")
            try await Audit.expectSound(test)
        }
    }

    /// Whoever calls one of these while the setting is on would write what no judge sees.
    @Test func `no other function writes as the owner into the tables whose judges leave the functions alone`()
        async throws
    {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            let guarded = try await owner.run(
                PostgresQuery<[String]>(
                    """
                    SELECT DISTINCT relname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                    WHERE pg_get_triggerdef(pg_trigger.oid) LIKE '%ledgerd.crediting%' ORDER BY 1
                    """
                ) { row in try row[0] })
            let writers = try await owner.run(
                PostgresQuery<[String]>(
                    """
                    SELECT DISTINCT proname::text FROM pg_proc, unnest($1::text[]) AS guarded (name)
                    WHERE pronamespace = 'public'::regnamespace
                        AND (prosrc ~* ('insert\\s+into\\s+(public\\.)?' || guarded.name || '\\M')
                            OR prosrc LIKE '%ledgerd.crediting%')
                    ORDER BY 1
                    """, [guarded]
                ) { row in try row[0] })
            await owner.close()
            #expect(guarded == ["account", "journal_entry", "lot", "posting", "purchase"])
            // They open accounts whose code, owner, side and stripe they name themselves, as `judge_accounts` wants them.
            let opening = ["open_accounts_of_currency", "set_provider_terms"]
            #expect(writers == ["credit_purchase", "credit_purchases"] + opening)
        }
    }

    private static func with(_ body: (PostgresConnection, TestLedger) async throws -> Void) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            let service = try await test.connectAsService()
            try await body(service, test)
            await service.close()
        }
    }
}
