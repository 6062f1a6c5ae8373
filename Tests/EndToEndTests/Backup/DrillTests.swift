import CivilTime
import Foundation
import Ledger
import LedgerTestSupport
import Logging
import Postgres
import TestSupport
import Testing

/// `ledgerd drill` tells a backup that holds the books from one that does not, and leaves nothing behind.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: BackupServer.isSupported)) struct DrillTests {
    @Test func `a good backup holds, also up to a moment, and the result is exported`() async throws {
        try await Self.withBooks { backup, drill in
            let began = Date()
            let sound = try await drill("--max-age", "1h")
            #expect(sound.exit == .code(0), "\(sound)")
            #expect(sound.output.hasPrefix("account "), "\(sound.output)")
            #expect(sound.output.contains(/wallet:paid +COIN +0 +300 +0 +300\n/), "\(sound.output)")
            #expect(sound.output.contains("entries: 3, live then 3\n") && !sound.output.contains("differs"))
            #expect(sound.output.contains(/\nseal: of \S+, 3 entries\n/) && sound.output.hasSuffix("holds the books\n"))
            #expect(sound.metrics.contains("\nledgerd_drill_success 1\n"))
            let success = try #require(sound.lastSuccess)
            #expect((Int64(began.timeIntervalSince1970)...Int64(Date().timeIntervalSince1970)).contains(success))

            let moment = Date()
            try await backup.buy(2)
            try await backup.archive()
            let json = JSON(Array(try await drill("--json", "--to", Self.text(moment)).output.utf8))
            #expect(json["holds"] == true && json["entries"]["restored"] == 3 && json["entries"]["live"] == 3)
            #expect(json["missing"]["entries"] == 2 && json["missing"]["since"].text != nil)
            #expect(json["head"]["restored"] == json["head"]["live"] && json["doctor"]["sound"] == true)
            let wallets = json["totals"].elements.first { $0["account"] == "wallet:paid" }
            #expect(wallets?["credits"]["restored"] == 300 && wallets?["credits"]["live"] == 300)

            // The chain ends before these two, so they are compared one by one.
            let later = try await drill()
            #expect(later.exit == .code(0) && later.output.contains("entries: 5, live then 5\n"), "\(later)")
            #expect(later.output.contains("entries not in the backup: 0\n"))

            // A transaction that is under way when the copy ends is not in it, though its number is lower.
            let slow = try await PostgresConnection.connect(
                PostgresConfiguration(url: backup.server.url(user: "postgres", database: "ledgerd")))
            try await slow.execute(
                """
                BEGIN; SET LOCAL session_replication_role = replica;
                INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                VALUES (nextval('record_id'), 0, 'purchase', 'slow', now(), now())
                """)
            try await backup.buy(1)
            try await backup.archive()
            try await slow.execute("COMMIT")
            await slow.close()
            let beside = try await drill()
            #expect(beside.exit == .code(0) && beside.output.contains("entries: 6, live then 6\n"), "\(beside)")
            #expect(beside.output.contains("entries not in the backup: 1, since "))
        }
    }

    @Test func `one altered row of the restored books, and one of the live books, is found`() async throws {
        try await Self.withBooks { backup, drill in
            // The backup has an altered row, which is put right in the live books afterwards.
            try await backup.alter(
                "UPDATE journal_entry SET reason = 'x' WHERE id = (SELECT min(id) FROM journal_entry)")
            try await backup.archive()
            let moment = Date()
            try await backup.alter("UPDATE journal_entry SET reason = NULL")
            try await backup.archive()
            let altered = try await drill("--to", Self.text(moment))
            #expect(altered.exit == .code(1), "\(altered)")
            #expect(
                altered.output.contains("books_not_sound: ") && altered.output.contains("chain_differs"), "\(altered)")
            #expect(altered.output.contains("seal_head_differs") && altered.output.hasSuffix("\ndoes not hold\n"))
            #expect(altered.metrics.contains("\nledgerd_drill_success 0\n") && altered.lastSuccess == nil)
            let repaired = try await drill()
            #expect(repaired.exit == .code(0), "\(repaired)")

            // An entry that the chain does not hold yet is altered in the live books: the doctor can't tell.
            try await backup.buy(1)
            try await backup.archive()
            try await backup.alter(
                "UPDATE posting SET amount = 1001 WHERE amount = 1000 AND journal_entry_id = \(Self.last)")
            let differs = try await drill()
            #expect(differs.exit == .code(1), "\(differs)")
            #expect(differs.output.contains("books_differ: ") && !differs.output.contains("books_not_sound"))
            #expect(
                differs.output.contains(/gateway:receivable +KRW +4000 +0 +4001 +0  differs\n/), "\(differs.output)")
            #expect(differs.lastSuccess == repaired.lastSuccess, "a failed drill does not undo an earlier one")

            // An entry that is missing was there when the copy ended.
            try await backup.alter("UPDATE posting SET amount = 1000 WHERE amount = 1001")
            try await backup.alter("DELETE FROM journal_entry WHERE id = \(Self.last)")
            let missing = try await drill()
            #expect(missing.exit == .code(1) && missing.output.contains("entries: 4, live then 3\n"), "\(missing)")
        }
    }

    @Test func `a backup that is old or can't be restored does not hold, and a drill that is stopped leaves nothing`()
        async throws
    {
        try await Self.withBooks { backup, drill in
            let old = try await drill("--max-age", "1s")
            #expect(old.exit == .code(1) && old.output.contains(/backup_too_old: the backup is \d+s old; it may be 1s/))
            let future = try await drill("--to", Self.text(Date().addingTimeInterval(3600)))
            #expect(future.exit == .code(1))
            #expect(future.output.contains(/not_restored: the recovery failed: .*recovery ended before/), "\(future)")
            let failed = try await drill("--restore-command", "echo no repository; exit 3")
            #expect(failed.exit == .code(1))
            #expect(failed.output.contains("not_restored: the restore command failed: no repository\n"), "\(failed)")
            let empty = try await drill("--restore-command", "true")
            #expect(empty.exit == .code(1) && empty.output.contains("has left no cluster"), "\(empty)")

            let nowhere = try await drill("--postgres-bin", "/nowhere")
            #expect(nowhere.exit == .code(2) && nowhere.errors.contains("/nowhere/postgres is missing"), "\(nowhere)")
            #expect(nowhere.metrics.contains("\nledgerd_drill_success 0\n"))
            #expect(try await drill("--to", "soon").exit == .code(64))
            let slow = try await drill("--restore-command", "sleep 60", "--within", "1s")
            #expect(slow.exit == .code(2) && slow.errors.contains("--within"), "\(slow)")

            let stopped = try backup.startDrill("--restore-command", "echo $$ >&2; sleep 60")
            try await eventually("it restores") { try !backup.scratch().isEmpty }
            stopped.signal(SIGTERM)
            #expect(try await stopped.exit() == .code(2))
            #expect(try backup.scratch().isEmpty)
        }
    }

    /// The id of the newest entry.
    private static let last = "(SELECT max(id) FROM journal_entry)"

    private static func text(_ date: Date) -> String { RFC3339.string(from: date) }

    /// Lends a server with three purchases, which are sealed, and a full backup; and the drill of it.
    private static func withBooks(
        _ body: (BackupServer, @Sendable (String...) async throws -> DrillEnd) async throws -> Void
    ) async throws {
        try await BackupServer.with { backup in
            try await backup.buy(3)
            let key = SealKey().base64
            let sealed = try await backup.house.run(
                "seal", with: backup.settings.merging(["LEDGERD_SEAL_KEY": key]) { $1 })
            #expect(sealed.exit == .code(0), "\(sealed)")
            try await backup.backUp("full")
            // pgBackRest restores to moments after the backup only, and compares whole seconds.
            let end = Int(Date().timeIntervalSince1970)
            try await eventually("the second of the backup is over") { Int(Date().timeIntervalSince1970) > end }
            try await body(backup) { (arguments: String...) in
                let child = try backup.startDrill(arguments)
                let exit = try await child.exit()
                #expect(try backup.scratch().isEmpty, "nothing is left of a drill")
                let metrics = (try? String(contentsOfFile: backup.metrics, encoding: .utf8)) ?? ""
                return DrillEnd(
                    exit: exit, output: child.standardOutput, errors: child.standardError, metrics: metrics)
            }
        }
    }
}

/// How a drill ended.
struct DrillEnd {
    let exit: ChildProcess.Exit
    let output: String
    let errors: String
    /// What Prometheus reads.
    let metrics: String

    var lastSuccess: Int64? {
        metrics.firstMatch(of: /\nledgerd_drill_last_success_timestamp_seconds (\d+)\n/).flatMap { Int64($0.1) }
    }
}

extension BackupServer {
    fileprivate var metrics: String { house.directory.appending(path: "ledgerd-drill.prom").path }
    private var parent: URL { server.directory.appending(path: "drills") }

    fileprivate func startDrill(_ arguments: String...) throws -> ChildProcess { try startDrill(arguments) }

    /// Starts a drill with the same pgBackRest as the server.
    fileprivate func startDrill(_ arguments: [String]) throws -> ChildProcess {
        if !FileManager.default.fileExists(atPath: parent.path) {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        }
        return try house.start(
            ["drill", "--directory", parent.path, "--metrics", metrics] + arguments,
            server.environment.merging(settings) { $1 })
    }

    /// What is left of drills.
    fileprivate func scratch() throws -> [String] {
        FileManager.default.fileExists(atPath: parent.path)
            ? try FileManager.default.contentsOfDirectory(atPath: parent.path) : []
    }

    /// Buys so often, for ₩1,000 each.
    fileprivate func buy(_ count: Int) async throws {
        let ledger = try await Ledger.open(
            LedgerConfiguration(
                database: try PostgresConfiguration(url: server.url(user: "ledgerd", database: "ledgerd"))),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        for _ in 0..<count {
            let payment = Payment.unmade()
            _ = try await ledger.submit(
                CreditPurchase.sample(
                    paymentID: payment.impUID, merchantUID: payment.merchantUID, bonus: 0, paidAt: Date()))
        }
        await ledger.close()
    }

    /// Changes the books behind the back of PostgreSQL's triggers.
    fileprivate func alter(_ sql: String) async throws {
        try await execute("SET session_replication_role = replica; \(sql)")
    }
}
