import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ChainTests {
    @Test func `every entry is linked once, whoever links and whenever`() async throws {
        try await TestLedger.with { ledger, test in
            let buying = Task {
                try await together(300) { try await ledger.credit(.sample($0, by: "user-\($0 % 30)")) }
            }
            var added: Int64 = 0
            for _ in 0..<5 { added += try await together(4) { _ in try await ledger.chain.linkUp() }.reduce(0, +) }
            _ = try await buying.value
            added += try await ledger.chain.linkUp(waiting: .seconds(20))
            #expect(added == 300)
            #expect(try await ledger.chain.linkUp(waiting: .seconds(20)) == 0)
            #expect(try await ledger.chain.lag() == .zero)
            try await Audit.expectSound(test)
        }
    }

    /// As docs/seals.md tells it, in SQL alone.
    @Test func `the hash can be computed with other tools`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything()
            _ = try await ledger.submit(
                Grant(
                    idempotencyKey: .named("korean"), user: .named("앤"), coins: sure(Coins(3)), reason: "생일 축하"))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            let owner = try await test.connectAsOwner()
            let (computed, kept) = try await owner.pipeline(
                PostgresQuery<PostgresBytes>.one(Self.computing) { row in try row[0] },
                PostgresQuery<PostgresBytes>.one("SELECT hash FROM chain_link ORDER BY id DESC LIMIT 1") { row in
                    try row[0]
                })
            #expect(computed == kept)
            #expect(
                try await test.number("SELECT last_position FROM chain_link ORDER BY id DESC LIMIT 1")
                    == test.number("SELECT count(*) FROM journal_entry"))
            for optional in ["reason", "reverses", "late_for"] {
                #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE \(optional) IS NOT NULL") > 0)
            }
            await owner.close()
        }
    }

    /// A text, or the commitment to it.
    private static func text(_ column: String, _ name: String, unless isPlain: String = "false") -> String {
        """
        CASE WHEN salt IS NULL OR \(isPlain)
            THEN int8send(0) || int8send(octet_length(\(column))) || convert_to(\(column), 'UTF8')
            ELSE int8send(1) || sha256(salt || int8send(\(name.utf8.count)) || '\(name)'::bytea
                || int8send(octet_length(\(column))) || convert_to(\(column), 'UTF8')) END
        """
    }

    private static let computing = """
        WITH RECURSIVE line AS (
            SELECT posting.journal_entry_id, count(*) AS count, string_agg(
                int8send(account.id) || int8send(octet_length(\(AccountSQL.classification)))
                || convert_to(\(AccountSQL.classification), 'UTF8') || int8send(1) || \(text("account.code", "account"))
                || int8send(posting.seq) || int8send(posting.stripe) || int8send(1) || convert_to(side, 'UTF8') || int8send(amount)
                || int8send(octet_length(posting.currency)) || convert_to(posting.currency, 'UTF8')
                || int8send(posting.balance), ''::bytea ORDER BY account.id, posting.seq) AS bytes
            FROM posting JOIN account ON account.id = account_id
            LEFT JOIN account_salt ON account_salt.account_id = account.id
            GROUP BY posting.journal_entry_id
        ), entry AS (
            SELECT row_number() OVER (ORDER BY transaction_id, id) AS position,
                int8send(id) || int8send(transaction_id::text::bigint) || int8send(stripe)
                || int8send(octet_length(kind)) || convert_to(kind, 'UTF8')
                || \(text("journal_entry.reference", "reference", unless: referenceIsOfRow))
                || int8send((extract(epoch FROM effective_at) * 1000000)::bigint)
                || int8send((extract(epoch FROM recorded_at) * 1000000)::bigint)
                || coalesce(int8send(1) || \(text("journal_entry.reason", "reason")), int8send(0))
                || coalesce(int8send(1) || int8send(reverses), int8send(0))
                || coalesce(int8send(1) || int8send((extract(epoch FROM late_for) * 1000000)::bigint), int8send(0))
                || int8send(line.count) || line.bytes AS bytes
            FROM journal_entry JOIN line ON line.journal_entry_id = id LEFT JOIN entry_salt ON entry_id = id
        ), chain AS (
            SELECT 0::bigint AS position, decode(repeat('00', 32), 'hex') AS hash
            UNION ALL
            SELECT entry.position, sha256(chain.hash || entry.bytes)
            FROM chain JOIN entry ON entry.position = chain.position + 1
        )
        SELECT hash FROM chain ORDER BY position DESC LIMIT 1
        """

    private static let referenceIsOfRow = """
        (kind <> 'spend' AND journal_entry.reference ~ '^[^:]*:[0-9]+$' AND journal_entry.reference !~ '^(user|provider|merge):')
        """

    /// A ledger from before there were commitments.
    @Test func `a chain of texts is kept, and the whole journal is chained again with commitments`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            for number in 1...3 { _ = try await ledger.credit(.sample(number)) }
            _ = try await ledger.submit(Spend.sample("spend-1", coins: 20))
            let former = try await test.linkTexts()
            let seal = try Seal(SealContent(former, sealedAt: Date()), by: key)
            #expect(seal.content.text.hasPrefix("ledgerd-seal 1\n"))
            _ = try await ledger.submit(Grant.sample("grant-1", to: "bob"))

            #expect(try await ledger.chain.linkUp(waiting: .seconds(20)) == 5)
            #expect(
                try await test.number("SELECT first_position FROM chain_link WHERE format = 2 ORDER BY id LIMIT 1") == 1
            )
            let newest = try #require(try await ledger.seals.make(with: key)).seal
            #expect(newest.content.text.hasPrefix("ledgerd-seal 2\n") && newest.content.entries == 5)
            let doctor = Doctor(try .unhurried(test.serviceURL))
            for seal in [seal, newest] {
                #expect(try await doctor.examine([], against: seal, trusting: key.publicKey).findings.isEmpty)
                let lines = try await ArchiveTests.archive(test, after: nil, through: seal)
                #expect(lines.count == Int(seal.content.entries) + 1)
            }

            try await Corruption("", "UPDATE journal_entry SET reason = 'thanks' WHERE kind = 'spend'").plant(in: test)
            for seal in [seal, newest] {
                let codes = try await doctor.examine([], against: seal, trusting: key.publicKey).findings.map(\.code)
                #expect(Set(codes) == ["chain_differs", "seal_head_differs"])
            }
        }
    }

    @Test func `an entry that is committed late is not missed, and comes in its place`() async throws {
        try await TestLedger.with { ledger, test in
            // The transaction that stays open locks accounts of stripe 0.
            let users = (0..<40).map { "user-\($0)" }.filter { Stripe(of: .named($0), among: 4).number != 0 }
            for (number, user) in users.prefix(5).enumerated() {
                _ = try await ledger.credit(.sample(number, by: user))
            }
            #expect(try await ledger.chain.linkUp(waiting: .seconds(20)) == 5)

            let late = try await test.connectAsOwner()
            try await late.execute("BEGIN; " + HandMade().sql)
            for (number, user) in users.enumerated() { _ = try await ledger.credit(.sample(100 + number, by: user)) }
            #expect(try await ledger.chain.linkUp() == 0, "what came after the open transaction waits for it")
            #expect(try await ledger.chain.lag() > .zero)
            try await late.execute("COMMIT")
            await late.close()
            #expect(try await ledger.chain.linkUp(waiting: .seconds(20)) == Int64(users.count + 1))
            let before = try await test.number(
                """
                SELECT count(*) FROM journal_entry AS late JOIN journal_entry AS other
                    ON (other.transaction_id, other.id) < (late.transaction_id, late.id)
                WHERE late.id = 900001
                """)
            #expect(before == 5)
            let found = try await Audit.problems(of: test)
            // Made by hand, it is of no grant and under no key.
            let ofHandMade = ["entry_misfits_facts", "entry_without_outcome"].map { "\($0): entry:900001: " }
            #expect(
                found.allSatisfy { problem in
                    problem.hasPrefix("account_time_differs") || ofHandMade.contains { problem.hasPrefix($0) }
                }, "\(found)")
        }
    }

    @Test func `a transaction of another database holds nothing up`() async throws {
        try await TestLedger.with { ledger, test in
            let elsewhere = try await PostgresConnection.connect(
                PostgresConfiguration(url: test.database.server.url()))
            try await elsewhere.execute("BEGIN; SELECT pg_current_xact_id()")
            _ = try await ledger.credit(.sample())
            #expect(try await ledger.chain.linkUp(waiting: .seconds(20)) == 1)
            try await elsewhere.execute("ROLLBACK")
            await elsewhere.close()
        }
    }

    @Test func `a transaction that is rolled back leaves no gap`() async throws {
        try await TestLedger.with { ledger, test in
            let other = try await test.connectAsOwner()
            try await other.execute("BEGIN; " + HandMade().sql + "; ROLLBACK")
            await other.close()
            _ = try await ledger.credit(.sample())
            #expect(try await ledger.chain.linkUp(waiting: .seconds(20)) == 1)
            try await Audit.expectSound(test)
        }
    }

    @Test func `many entries become many links, however far apart their ids are`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute(
                """
                SET LOCAL session_replication_role = replica;
                INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                SELECT number * (CASE WHEN number % 1000 = 0 THEN 1000000::bigint ELSE 3 END), 0, 'grant', 'test:' || number,
                    now(), now()
                FROM generate_series(1, \(ChainReader.pageSize * 2 + 5)) AS number
                """)
            _ = try await ledger.credit(.sample())
            #expect(try await ledger.chain.linkUp(waiting: .seconds(20)) == Int64(ChainReader.pageSize * 2 + 6))
            #expect(try await test.number("SELECT count(*) FROM chain_link") >= 3)
            let found = try await Audit.problems(of: test)
            // Made by hand, they post nothing, and are of no grant and under no key.
            let codes = ["entry_without_postings", "entry_misfits_facts", "entry_without_outcome"]
            #expect(Set(found.map { String($0.prefix { $0 != ":" }) }) == Set(codes), "\(found)")
        }
    }

    @Test func `the database refuses a link that does not follow the last`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            let service = try await test.connectAsService()
            let right = [
                "id": "2", "first_position": "2", "transaction_id": "'9000000000000'", "previous_hash": "hash",
                "format": "2",
            ]
            for (column, wrong) in [
                ("id", "3"), ("first_position", "3"), ("previous_hash", "sha256('x')"), ("transaction_id", "'1'"),
                ("format", "1"), ("format", "3"),
            ] {
                let values = right.merging([column: wrong]) { $1 }.sorted { $0.key < $1.key }
                let error = try await service.refusal(
                    ofTransaction: """
                        INSERT INTO chain_link (
                            \(values.map(\.key).joined(separator: ", ")), last_position, entry_id, hash, totals)
                        SELECT \(values.map(\.value).joined(separator: ", ")), 3, 1, hash, totals FROM chain_link
                        """)
                #expect(error?.constraint == "chain_link_follows", "\(column): \(error?.description ?? "was done")")
            }
            await service.close()
        }
    }

    @Test func `an order that went back is reported, and nothing is linked out of order`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await Corruption("", "UPDATE chain_link SET transaction_id = '9000000000000'").plant(in: test)
            _ = try await ledger.credit(.sample(2))
            let error = await #expect(throws: LedgerError.self) { try await ledger.chain.linkUp(waiting: .seconds(20)) }
            #expect(error?.code == .fault && error?.message.contains("lower than the chain's") == true)
            #expect(try await test.number("SELECT count(*) FROM chain_link") == 1)
            let unready = await #expect(throws: LedgerError.self) { try await ledger.requireReady() }
            #expect(unready?.code == .fault)
            let unopened = await #expect(throws: LedgerError.self) { _ = try await test.open() }
            #expect(unopened?.message.contains("lower than the chain's") == true)
        }
    }
}

extension TestLedger {
    /// Links the journal as versions before the commitments did.
    func linkTexts() async throws -> ChainState {
        let connection = try await connectAsOwner()
        var state = ChainState(.texts)
        var buffer: [UInt8] = []
        let entries = try await ChainReader(connection: connection).page(after: .start)
        for entry in entries { state.add(entry, &buffer) }
        let end = try #require(entries.last)
        _ = try await connection.run(ChainLink(after: nil, to: state, at: end.position).insertion)
        await connection.close()
        return state
    }
}
