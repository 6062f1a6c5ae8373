import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ReadingTests {
    @Test func `balances are read one by one and many at once, in the order of the request`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample(1, by: "ann"))
            _ = try await ledger.submit(Grant.sample(to: "bob"))
            let users = ["bob", "nobody", "ann", "bob"].map(UserID.named)
            let many = try await ledger.balances.list(of: users)
            #expect(many.map(\.user) == users)
            #expect(many.map(\.total) == [5, 0, 110, 5])
            let single = try await together(40) { try await ledger.balances.find(of: users[$0 % 4]) }
            #expect(single == (0..<40).map { many[$0 % 4] })
            #expect(try await ledger.balances.list(of: []).isEmpty)
        }
    }

    @Test func `a balance of a silent database is unavailable within two seconds, and is there when it speaks again`()
        async throws
    {
        try await TestLedger.withProxy(writers: 2) { ledger, _, proxy in
            _ = try await ledger.credit(.sample(1, by: "ann"))
            #expect(try await ledger.balances.find(of: .named("ann")).total == 110)
            proxy.stall()
            await #expect { try await ledger.balances.find(of: .named("ann")) } throws: {
                ($0 as? LedgerError)?.code == .unavailable
            }
            proxy.resume()
            try await eventually("the balance is read again") {
                (try? await ledger.balances.find(of: .named("ann")))?.total == 110
            }
        }
    }

    @Test func `the balance at a moment is what was posted by then`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            var history = RandomHistory(seed: 3)
            for _ in 0..<40 { _ = await writer.post(history.batch()) }
            await writer.close()
            let owner = try await test.connectAsOwner()
            let wrong = try await owner.run(
                PostgresQuery<[String]>(
                    """
                    WITH moment AS (
                        SELECT account.id, account.code, moment
                        FROM account
                        CROSS JOIN LATERAL (
                            SELECT DISTINCT entry.recorded_at + step * interval '1 microsecond' AS moment
                            FROM posting JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id,
                                generate_series(-1, 0) AS step
                            WHERE posting.account_id = account.id
                            UNION SELECT '-infinity' UNION SELECT 'infinity'
                        ) AS moments
                        WHERE account.owner IS NOT NULL OR account.code LIKE 'coins:promotions/%'
                    ), replayed AS (
                        SELECT moment.id, moment.moment, count(posting.seq) AS seq
                        FROM moment
                        LEFT JOIN posting ON posting.account_id = moment.id AND (
                            SELECT recorded_at FROM journal_entry WHERE id = posting.journal_entry_id) <= moment.moment
                        GROUP BY moment.id, moment.moment
                    )
                    SELECT id || ' at ' || moment FROM replayed WHERE posting_seq_as_of(id, moment) <> seq
                    """
                ) { row in try row[0] })
            #expect(wrong.isEmpty, "\(wrong.prefix(5))")
            let unknown = try await test.number("SELECT coalesce(posting_seq_as_of(-1, now()), 0)")
            #expect(unknown == 0)
            await owner.close()
        }
    }

    @Test func `a user's balance at a moment counts that moment and nothing later`() async throws {
        try await TestLedger.with { ledger, _ in
            var moments: [Date] = []
            for number in 1...5 {
                let credited = try #require(try await ledger.credit(.sample(number)).credited)
                moments.append(credited.purchase.creditedAt)
            }
            for (index, moment) in moments.enumerated() {
                let total = Int64(110 * (index + 1))
                #expect(try await ledger.balances.find(of: .named("ann"), at: moment).total == total)
                #expect(try await ledger.balances.find(of: .named("ann"), at: moment - 0.000_001).total == total - 110)
            }
            #expect(try await ledger.balances.find(of: .named("ann"), at: .distantPast).total == 0)
            #expect(try await ledger.balances.find(of: .named("ann"), at: .distantFuture).total == 550)
            #expect(try await ledger.balances.find(of: .named("nobody"), at: Date()).total == 0)
        }
    }

    @Test func `pages of purchases neither miss nor repeat one while new ones arrive`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            let ledger = try await test.open()
            for size in [1, 3, 50] {
                let (ann, bob, first) = ("ann-\(size)", "bob-\(size)", 10_000 * size)
                _ = await writer.post((0..<20).map { CreditPurchase.sample(first + $0, by: $0 % 2 == 0 ? ann : bob) })
                var seen: [ListedPurchase] = []
                var cursor: PurchaseCursor?
                repeat {
                    let page = try await ledger.purchases.list(of: .named(ann), after: cursor, limit: size)
                    #expect(page.elements.count <= size)
                    seen += page.elements.map(\.purchase)
                    cursor = page.next
                    _ = await writer.post([CreditPurchase.sample(first + 1000 + seen.count, by: ann)])
                } while cursor != nil
                let expected = stride(from: 0, to: 20, by: 2).map { "imp_\(first + $0)" }
                #expect(seen.map(\.payment.paymentID).sorted() == expected.sorted(), "\(size) at a time")
                let all = try await ledger.purchases.latest(of: .named(ann), limit: 100).elements.map(\.purchase)
                #expect(all.allSatisfy { $0.user == .named(ann) })
                let ids = Set(seen.map(\.id))
                #expect(seen.map { Self.shown($0) } == all.filter { ids.contains($0.id) }.map { Self.shown($0) })
                let stranger = try await ledger.purchases.find(try #require(seen.first).id, of: .named(bob))
                #expect(stranger == nil)
            }
            await writer.close()
            await ledger.close()
        }
    }

    /// What lists show of a purchase, whether they have read all of it or not.
    private static func shown(_ purchase: some ListablePurchase) -> [String] {
        [
            "\(purchase.id)", purchase.status.rawValue, "\(purchase.payment)", purchase.product, "\(purchase.amount)",
            purchase.currency.code, "\(purchase.coins)", "\(purchase.bonusCoins)", "\(purchase.refundedAmount)",
            "\(purchase.paidAt.timeIntervalSince1970)", "\(purchase.creditedAt.timeIntervalSince1970)",
        ]
    }

    @Test func `a user whose id looks like an account's name has its own balance and statement`() async throws {
        let users = [
            "x", "x:paid", ":bonus", "held:x:paid", "debt:x", "earnings:x", "payable:x", "\u{301}x", "%", "_\\",
        ].map(UserID.named)
        for (account, user) in UserAccount.allCases.flatMap({ account in users.map { (account, $0) } }) {
            #expect(UserAccount(.user(account, of: user)) == account)
        }
        for code in ["earnings:x/1", "payable:x/1", "coins:issued/3", "wallet:x", "held:x"] {
            #expect(UserAccount(AccountCode(rawValue: code)) == nil)
        }
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            let ledger = try await test.open()
            for (place, user) in users.enumerated() {
                _ = await writer.post((0...place).map { CreditPurchase.sample(100 * place + $0, by: user) })
            }
            let totals = users.indices.map { Int64(110 * ($0 + 1)) }
            #expect(try await ledger.balances.list(of: users).map(\.total) == totals)
            for (user, total) in zip(users, totals) {
                #expect(try await ledger.balances.find(of: user, at: .distantFuture).total == total)
                let entry = try #require(try await ledger.statements.list(of: user, limit: 1).elements.first)
                #expect(entry.balance == total && entry.coins == 110)
                #expect(entry.movements.map(\.account) == ["paid", "bonus"])
            }
            await writer.close()
            await ledger.close()
        }
    }

    @Test func `a statement of a period or kind is the part of the whole that it is`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            for batch in 0..<4 {
                _ = await writer.post(
                    (0..<5).flatMap { index in
                        let number = batch * 10 + index
                        return [CreditPurchase.sample(number), Grant.sample("key-\(number)")] as [any Act]
                    })
            }
            await writer.close()
            let ledger = try await test.open()
            let all = try await ledger.statements.list(of: .named("ann"), limit: 1000).elements
            let times = Set(all.map(\.recordedAt)).sorted()
            for (from, to) in [(times[1], times[3]), (times[2], nil), (nil, times[2]), (times[1], times[1])] {
                let period = Period(from: from, to: to)
                for kind in [nil, "grant", "spend"] {
                    let expected = all.filter { entry in
                        (from.map { entry.recordedAt >= $0 } ?? true) && (to.map { entry.recordedAt < $0 } ?? true)
                            && (kind == nil || entry.kind == kind)
                    }
                    for size in [1, 2, 7, 100] {
                        var seen: [StatementEntry] = []
                        var cursor: StatementCursor?
                        repeat {
                            let page = try await ledger.statements.list(
                                of: .named("ann"), in: period, kind, after: cursor, limit: size)
                            #expect(page.elements.count <= size)
                            seen += page.elements
                            cursor = page.next
                        } while cursor != nil
                        #expect(
                            seen == expected,
                            "\(size): \(String(describing: kind)) from \(from as Any) to \(to as Any)")
                    }
                }
            }
            await ledger.close()
        }
    }

    @Test func `purchases of a period and status are those of the whole list`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            for batch in 0..<3 {
                _ = await writer.post((0..<4).map { CreditPurchase.sample(batch * 10 + $0) })
            }
            await writer.close()
            let ledger = try await test.open()
            let all = try await ledger.purchases.list(of: .named("ann"), limit: 100).elements.map(\.purchase)
            let times = Set(all.map(\.creditedAt)).sorted()
            let period = Period(from: times[1], to: times[2])
            var seen: [ListedPurchase] = []
            var cursor: PurchaseCursor?
            repeat {
                let page = try await ledger.purchases.list(
                    of: .named("ann"), in: period, .credited, after: cursor, limit: 3)
                seen += page.elements.map(\.purchase)
                cursor = page.next
            } while cursor != nil
            #expect(seen == all.filter { $0.creditedAt == times[1] } && seen.count == 4)
            #expect(try await ledger.purchases.list(of: .named("ann"), .refunded, limit: 3).elements.isEmpty)
            await ledger.close()
        }
    }

    @Test func `pages of a statement neither miss nor repeat a movement`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            // Each batch gives many movements of two accounts one time.
            for batch in 0..<3 {
                _ = await writer.post(
                    (0..<6).flatMap { index in
                        let number = batch * 10 + index
                        return [CreditPurchase.sample(number), Grant.sample("key-\(number)")] as [any Act]
                    })
            }
            await writer.close()
            let ledger = try await test.open()
            for size in [1, 2, 7, 100] {
                var seen: [StatementEntry] = []
                var cursor: StatementCursor?
                repeat {
                    let page = try await ledger.statements.list(of: .named("ann"), after: cursor, limit: size)
                    seen += page.elements
                    cursor = page.next
                } while cursor != nil
                #expect(seen.count == 36, "\(size) at a time")
                for (account, count) in [("paid", 18), ("bonus", 36)] {
                    let numbers = seen.flatMap(\.movements).filter { $0.account == account }.map(\.seq)
                    #expect(numbers == (1...Int64(count)).reversed())
                }
                // Each tells the balance that those up to it add up to.
                #expect(seen.map(\.balance) == seen.indices.map { place in seen[place...].reduce(0) { $0 + $1.coins } })
                #expect(seen.map(\.recordedAt) == seen.map(\.recordedAt).sorted(by: >))
                #expect(try await ledger.statements.list(of: .named("bob"), limit: size).elements.isEmpty)
            }
            await ledger.close()
        }
    }

    @Test func `pages of many users at once are each one's own, with the refunds`() async throws {
        try await TestLedger.with { ledger, _ in
            let names = ["ann", "bob", "cyd"]
            for number in 0..<24 { _ = try await ledger.credit(.sample(number, by: names[number % 3])) }
            for name in names {
                let first = try #require(try await ledger.purchases.list(of: .named(name), limit: 100).elements.last)
                _ = try await ledger.submit(
                    BeginRefund.sample("refund-\(name)", of: first.purchase.id, by: name))
            }
            // Alone, then 60 together: each page is the same.
            var purchases: [[WithRefunds<ListedPurchase>]] = []
            var entries: [[StatementEntry]] = []
            for name in names + ["nobody"] {
                purchases.append(try await ledger.purchases.list(of: .named(name), limit: 7).elements)
                entries.append(try await ledger.statements.list(of: .named(name), limit: 5).elements)
                #expect(purchases.last?.count == (name == "nobody" ? 0 : 7))
            }
            let users = (names + ["nobody"]).map(UserID.named)
            let pages = try await together(60) { try await ledger.purchases.list(of: users[$0 % 4], limit: 7 + $0 % 2) }
            let statements = try await together(60) { try await ledger.statements.list(of: users[$0 % 4], limit: 5) }
            for index in 0..<60 {
                #expect(pages[index].elements.prefix(7) == purchases[index % 4].prefix(7))
                #expect((pages[index].next == nil) == (index % 4 == 3 || index % 2 == 1))
                #expect(pages[index].elements.last?.refunds.count ?? 1 == index % 2)
                #expect(statements[index].elements == entries[index % 4])
            }
        }
    }
}
