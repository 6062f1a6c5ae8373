import Foundation
import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// The real hledger and Beancount must take our journal, and compute our balances.
@Suite(.timeLimit(.minutes(20))) struct AccountingProgramTests {
    @Test func `hledger computes our balances, account by account`() async throws {
        try await Self.withHistory { ledger, balances in
            let file = try AccountingFile(try await ledger.export(.journal, [.format: "hledger"]), "journal")
            #expect(try await file.hledgerBalances() == BookBalance.written(balances))
            let types = try await file.run("hledger", ["-f", file.path, "balancesheet", "-N", "--flat"])
            #expect(types.contains("gateway:receivable") && types.contains("coins:deferred-revenue"))
        }
    }

    @Test func `Beancount computes our balances, account by account`() async throws {
        try await Self.withHistory { ledger, balances in
            let file = try AccountingFile(try await ledger.export(.journal, [.format: "beancount"]), "beancount")
            #expect(try await file.run("bean-check", [file.path]) == "")
            let ours = balances.map { ($0.name, "\($0.balance) \($0.currency)") }
            #expect(try await file.beancountBalances() == Dictionary(uniqueKeysWithValues: ours))
        }
    }

    /// 1 January 1970 in UTC is a day of 1969 west of it.
    @Test func `Beancount takes the first entry also in time zones west of UTC`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1, paidAt: Date(timeIntervalSince1970: 0)))
            let file = try AccountingFile(
                try await ledger.export(.journal, [.format: "beancount", .timeZone: "Pacific/Honolulu"]), "beancount")
            #expect(try String(contentsOfFile: file.path, encoding: .utf8).contains("\n1969-12-31 * \"purchase\""))
            #expect(try await file.run("bean-check", [file.path]) == "")
            let ours = try await BookBalance.all(of: test).map { ($0.name, "\($0.balance) \($0.currency)") }
            #expect(try await file.beancountBalances() == Dictionary(uniqueKeysWithValues: ours))
        }
    }

    private static func withHistory(_ body: (Ledger, [BookBalance]) async throws -> Void) async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            var history = RandomHistory(seed: 11)
            for _ in 0..<25 { _ = await writer.post(history.batch()) }
            await writer.close()
            let ledger = try await test.open()
            try await ledger.postNasty()
            let placed = try #require(
                try await ledger.submit(PlaceHold.sample(by: Nasty.users[0], coins: 20)).placed)
            _ = try await ledger.submit(
                CaptureHold.sample(of: placed.hold.id, by: Nasty.users[0], provider: "a;b  /2"))
            let balances = try await BookBalance.all(of: test)
            #expect(balances.count > 100 && balances.contains { $0.name == "earnings:a;b  /2" })
            try await body(ledger, balances)
            await ledger.close()
        }
    }
}
