import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// A row that somebody changed by hand fails what needs it, by name, and nothing else.
@Suite(.timeLimit(.minutes(20))) struct UnreadableRowTests {
    @Test func `a recorded outcome that can't be read fails its own act, in the batch of the others`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            _ = await writer.post([Grant.sample("torn", to: "ann"), Grant.sample("whole", to: "bob")])
            try await test.plant(#"UPDATE idempotency SET outcome = '{"granted": {"_0": {}}}' WHERE key = 'torn'"#)
            let results = await writer.post([
                Grant.sample("torn", to: "ann"), Grant.sample("whole", to: "bob"), Grant.sample("new", to: "ann"),
            ])
            #expect(results[0].failure?.code == .fault)
            #expect(results[0].failure?.message == "the row of idempotency under the key torn of shop can't be read")
            #expect(results.dropFirst().map { $0.answer?.name } == ["granted again", "granted"])
            await writer.close()
            #expect(try await test.number("SELECT count(*) FROM lot") == 3)
        }
    }

    @Test(arguments: [
        (
            "lot", "ALTER TABLE lot DROP CONSTRAINT lot_kind_known, DROP CONSTRAINT lot_amount_by_kind",
            "UPDATE lot SET kind = 'gold' WHERE user_id = 'ann'"
        ),
        (
            "account", "ALTER TABLE account ALTER seq DROP NOT NULL",
            "UPDATE account SET seq = NULL WHERE code = 'wallet:ann:bonus'"
        ),
    ])
    func `a row that can't be read fails the act that needs it, and is named`(
        table: String, allow: String, plant: String
    ) async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            _ = await writer.post([Grant.sample("ann", to: "ann"), Grant.sample("bob", to: "bob")])
            try await test.execute(allow)
            try await test.plant(plant)
            let id = try await test.number(
                table == "lot"
                    ? "SELECT id FROM lot WHERE kind = 'gold'" : "SELECT id FROM account WHERE seq IS NULL")
            let results = await writer.post([
                Spend.sample("spend-ann", by: "ann", coins: 1), Spend.sample("spend-bob", by: "bob", coins: 1),
            ])
            #expect(results[0].failure?.code == .fault)
            #expect(results[0].failure?.message == "the row of \(table) with the id \(id) can't be read")
            #expect(results[1].answer?.spent?.coins == 1)
            await writer.close()
        }
    }

    @Test func `a hold that its lots contradict is not captured, given back or expired, and its neighbour is`()
        async throws
    {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            _ = await writer.post([Grant.sample(coins: 9)])
            let placed = await writer.post([PlaceHold.sample("a", coins: 4), PlaceHold.sample("b", coins: 3)])
            let holds = placed.compactMap { $0.answer?.placed?.hold.id }
            try #require(holds.count == 2)
            try await test.plant("UPDATE hold_lot SET held = held - 1 WHERE hold_id = \(holds[0])")
            let results = await writer.post([
                CaptureHold.sample("c", of: holds[0]), VoidHold.sample("v", of: holds[0]),
                ExpireHold(user: .named("ann"), holdID: holds[0]), CaptureHold.sample("d", of: holds[1]),
            ])
            let message = "hold \(holds[0]) and its lots contradict each other"
            #expect(results.prefix(3).map { $0.failure?.message } == [message, message, message])
            #expect(results[3].answer?.captured?.coins == 3)
            await writer.close()
        }
    }

    @Test func `a hold that can't be read is reported by its id, and the others that are due are worked on`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample(coins: 9))
            let torn = try #require(try await ledger.submit(PlaceHold.sample("a", coins: 4, timeout: 1)).placed?.hold)
            let whole = try #require(try await ledger.submit(PlaceHold.sample("b", coins: 3, timeout: 1)).placed?.hold)
            try await test.plant("UPDATE hold SET user_id = '', expires_at = placed_at WHERE id = \(torn.id)")
            try await test.plant("UPDATE hold SET expires_at = placed_at WHERE id = \(whole.id)")
            var listed: [String] = []
            let due = try await ledger.holds.listDue(limit: 10) { id, error in listed.append("\(id): \(error.message)")
            }
            #expect(due.map(\.id) == [whole.id])
            #expect(listed == ["\(torn.id): the row of hold with the id \(torn.id) can't be read"])
        }
    }

    @Test func `the answer to another act is an error, not a trap`() throws {
        let granted: any AnyAnswer = Answer<Granted>.refused(.alreadyExpired)
        #expect(try Answer<Granted>(granted).refusal == .alreadyExpired)
        #expect(throws: LedgerError.self) { try Answer<Spent>(granted) }
    }
}

extension TestLedger {
    /// Changes a row as nobody can in the ordinary way.
    fileprivate func plant(_ sql: String) async throws {
        let connection = try await database.connect()
        try await connection.execute("SET session_replication_role = replica")
        let rows = try await connection.run(PostgresQuery<Int>.affected(sql))
        try #require(rows > 0, "nothing was planted")
        await connection.close()
    }
}
