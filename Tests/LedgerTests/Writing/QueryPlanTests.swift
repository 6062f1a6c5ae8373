import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A writer's plans are made once, perhaps on empty tables, and kept: each must find its rows by key whatever the
/// tables hold.
@Suite(.timeLimit(.minutes(20))) struct QueryPlanTests {
    @Test func `every look-up of a writer uses a selective key, on an empty and on a large ledger`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.connectAsWriter()
            try await Self.expectKeys(on: writer, "new")
            // The statistics say that all is empty; planned anew, a statement sees how large a table has become.
            try await test.execute("ANALYZE")
            try await test.execute(FilledTables.sql(rows: 20_000))
            try await Self.expectKeys(on: writer, "grown since it was analysed")
            try await test.execute("ANALYZE")
            try await Self.expectKeys(on: writer, "large")
            await writer.close()
        }
    }

    /// What the judge looks up can't be explained from outside; the server counts what it reads.
    @Test(arguments: [false, true])
    func `posting to a ledger that has grown reads no table as a whole, the judge's look-ups included`(
        isAnalyzedEmpty: Bool
    ) async throws {
        try await TestLedger.withDatabase { test in
            // Plans are made on empty tables and, being generic, kept; of a table that is known to be empty they read
            // the whole.
            if isAnalyzedEmpty { try await test.execute("ANALYZE") }
            // A vacuum reads tables in the background, at any moment, and would be counted.
            try await test.stopAutovacuum(of: ["purchase", "journal_entry", "posting"])
            let writer = try await test.writer()
            _ = await writer.post(Self.batch(0))
            // What this session has read is reported before it is answered.
            try await test.execute(FilledTables.sql(rows: 20_000) + "; SELECT pg_stat_force_next_flush()")
            let rows = try await test.rowsRead {
                for round in 1...5 {
                    #expect(await writer.post(Self.batch(round)).allSatisfy { $0.answer != nil })
                }
                await writer.close()
            }
            // 120 commands; one reading of one filled table as a whole would be 20,000 rows.
            #expect(rows < 12000, "\(rows) rows")
        }
    }

    /// A change in place writes no index; it needs room on the page, and an index that does not name what changes.
    @Test func `totals of accounts and what is left of lots are changed in place`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            for round in 1...20 { _ = await writer.post(Self.batch(round)) }
            await writer.close()
            // A session tells what it counted before it is gone.
            try await eventually("the writer's session is gone") {
                try await test.number(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """) == 0
            }
            for table in ["account", "lot"] {
                let share = try await test.number(
                    "SELECT 100 * n_tup_hot_upd / n_tup_upd FROM pg_stat_user_tables WHERE relname = '\(table)'")
                // How much room a page has differs from run to run; an index that names what changes makes it 0.
                #expect(share > 40, "\(share) % of the changes of \(table)")
            }
        }
    }

    private static func batch(_ round: Int) -> [any Act] {
        (0..<6).flatMap { index -> [any Act] in
            let number = round * 10 + index
            return [
                CreditPurchase.sample(number, by: "user-\(index)"),
                Grant.sample("key-\(number)", to: "user-\(index)"),
                Spend.sample("spend-\(number)", by: "user-\(index)", coins: 1),
                PlaceHold.sample("hold-\(number)", by: "user-\(index)", coins: 1),
            ]
        }
    }

    private static func expectKeys(on connection: PostgresConnection, _ state: String) async throws {
        let payment = PaymentIdentity(gateway: "g", paymentID: "i", merchantUID: "m")
        func check<Output>(
            _ query: PostgresQuery<Output>, _ keys: Set<String>, isInOrder: Bool = false
        ) async throws {
            let plan = try await connection.explain(query)
            #expect(!isInOrder || !plan.contains { $0.contains("Sort") }, "\(state): \(query.sql)\n\(plan)")
            #expect(!plan.contains { $0.contains("Seq Scan on") }, "\(state): \(query.sql)\n\(plan)")
            let conditions = plan.filter { $0.contains("Index Cond:") }
            for key in keys {
                #expect(conditions.contains { $0.contains(key) }, "\(state): \(query.sql)\n\(plan)")
            }
            // An index that is read without a condition is read as a whole.
            let scans = plan.filter { $0.contains("Index Scan") || $0.contains("Index Only Scan") }
            #expect(conditions.count >= scans.count, "\(state): \(query.sql)\n\(plan)")
            // Besides, each row's user may be a former one, which a key tells.
            let own = scans.filter { !$0.contains(" on user_alias") }
            #expect(own.count == keys.count, "\(state): \(query.sql)\n\(plan)")
        }
        try await check(Account.lock(ids: [1]), ["(id = ANY"])
        try await check(Account.lock(codes: ["a"]), ["(code = ANY"])
        try await check(Account.lock(of: [.named("ann")]), ["(owner = ANY"])
        try await check(Purchase.sharing([payment]), ["imp_uid", "merchant_uid"])
        try await check(
            Purchase.known(as: [payment]),
            [
                "(imp_uid = asked.imp_uid)", "(merchant_uid = asked", "(imp_uid = asked_2",
                "(merchant_uid = payment_name", "(digest >= ",
            ])
        try await check(RecordedOutcome.under([]), ["(key = "])
        try await check(Lot.open(of: [payment]), ["imp_uid", "user_id = ", "purchase_id = "])
        try await check(
            Lot.open(ofPurchases: [1], ofRefunds: [1]),
            ["(id = ANY ($2))", "(id = ANY (($1 ||", "(acquired_at = purchase.credited_at)"])
        try await check(
            Lot.first(ofDebtorsAmong: [.named("ann")], in: .standard, limit: 8),
            ["(owner = ANY", "(user_id = debt.owner)"], isInOrder: true)
        try await check(Lot.first(of: [.named("ann")], in: .standard, limit: 8), ["(user_id = "], isInOrder: true)
        try await check(Lot.expiredOrTaxed(ofPurchases: [1]), ["(purchase_id = ANY"])
        try await check(Lot.find([1], ofHolds: [1]), ["(id = ANY (($1 ||", "(hold_id = ANY"])
        try await check(ProviderTerms.inForce(of: [.named("zoe")]), ["(provider = ANY ($1))"])
        try await check(Hold.find([1]), ["(id = ANY"])
        try await check(HoldLot.of([1]), ["(hold_id = "])
        try await check(Redemption.find([1]), ["(journal_entry_id = ANY", "(redemption_id = "])
        try await check(Redemption.lots(of: [1]), ["(journal_entry_id = ANY", "(id = ANY"])
        try await check(
            ChainReader.entries(after: .start, through: nil), ["transaction_id, id"], isInOrder: true)
    }
}

extension TestLedger {
    /// A session with a writer's settings, as the service's role.
    func connectAsWriter() async throws -> PostgresConnection {
        try await PostgresConnection.connect(.unhurried(serviceURL).forWriting)
    }
}

extension PostgresConnection {
    /// The generic plan of a statement, line by line.
    func explain<Output>(_ query: PostgresQuery<Output>) throws -> [String] {
        let types = query.parameters.map { type(of: $0).postgresType.name }.joined(separator: ", ")
        let nulls = query.parameters.map { _ in "NULL" }.joined(separator: ", ")
        let name = "explained_\(Fresh.word)"
        try execute("PREPARE \(name)(\(types)) AS \(query.sql)")
        return try run(PostgresQuery<[String]>("EXPLAIN EXECUTE \(name)(\(nulls))") { row in try row[0] })
    }
}
