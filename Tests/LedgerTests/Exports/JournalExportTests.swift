import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct JournalExportTests {
    @Test func `every posting is written, whatever its texts hold`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.postNasty()
            let csv = try await ledger.export(.journal)
            let objects = try await ledger.export(.journal, [.format: "jsonl"]).objects
            let owner = try await test.connectAsOwner()
            let postings = try await owner.run(Self.postings)
            await owner.close()
            #expect(csv.records.count == postings.count)
            #expect(objects.count == postings.count)
            for (posting, (record, object)) in zip(postings, zip(csv.records, objects)) {
                for (name, value) in posting {
                    #expect(record[name] == Self.withoutFormula(value), "\(name)")
                    #expect(
                        (object[name] as? String) ?? (object[name] as? Int64).map(String.init) ?? "" == value, "\(name)"
                    )
                }
            }
        }
    }

    /// In the order promised: by entry, then account.
    private static let postings = PostgresQuery<[[String: String]]>(
        """
        SELECT entry.id::text, kind, reference, coalesce(reason, ''), coalesce(reverses::text, ''),
            CASE WHEN account.owner IS NULL THEN split_part(code, '/', 1) ELSE code END,
            posting.stripe::text, posting.seq::text, posting.currency,
            CASE side WHEN 'D' THEN amount::text ELSE '' END, CASE side WHEN 'C' THEN amount::text ELSE '' END,
            posting.balance::text, coalesce(account.owner, '')
        FROM posting
        JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
        JOIN account ON account.id = posting.account_id
        ORDER BY entry.id, account.id, posting.seq
        """
    ) { row in
        let names = [
            "entry", "kind", "reference", "reason", "reverses", "account", "stripe", "seq", "currency", "debit",
            "credit",
            "balance", "owner",
        ]
        var values: [String: String] = [:]
        for (index, name) in names.enumerated() { values[name] = try row.decode(index, as: String.self) }
        return values
    }

    private static func withoutFormula(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else {
            return text
        }
        return "'" + text
    }

    @Test func `the trailer has rows, totals and the hash of all before it`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...3 { _ = try await ledger.credit(.sample(number)) }
            for format in ["csv", "jsonl", "xlsx", "hledger", "beancount"] {
                let export = try await ledger.export(.journal, [.format: format])
                #expect(export.trailer.rows == 18, "\(format)")
                #expect(export.trailer.sha256 == export.sha256OfBody, "\(format)")
                let line = export.lastLine
                #expect(
                    export.trailer.json == #"{"report":"journal","rows":18,"totals":{"debit":{"COIN":330,"KRW":3000},"#
                        + #""credit":{"COIN":330,"KRW":3000}},"sha256":"\#(export.sha256OfBody)"}"#)
                #expect(
                    ["csv", "xlsx"].contains(format) ? line.isEmpty : line.contains(export.trailer.json), "\(format)")
            }
        }
    }

    @Test func `a reader of CSV meets the rows and nothing else`() async throws {
        try await TestLedger.with { ledger, _ in
            for number in 1...3 { _ = try await ledger.credit(.sample(number)) }
            let export = try await ledger.export(.journal)
            let script = """
                import csv, sys
                for row in csv.DictReader(open(sys.argv[1], newline=''), strict=True): print(row['entry'])
                """
            let file = try AccountingFile(export, "csv")
            let entries = try await file.run("python3", ["-c", script, file.path]).split(separator: "\n").map(
                String.init)
            #expect(entries.count == 18 && entries == export.records.map { $0["entry"] })
        }
    }

    @Test func `a byte-order mark is there when asked for, and hashed`() async throws {
        try await TestLedger.with { ledger, _ in
            let plain = try await ledger.export(.journal)
            let marked = try await ledger.export(.journal, [.byteOrderMark: "true"])
            #expect(marked.body.starts(with: [0xEF, 0xBB, 0xBF]))
            #expect(Array(marked.body.dropFirst(3)) == Array(plain.body))
            #expect(marked.trailer.sha256 == marked.sha256OfBody)
            #expect(
                plain.trailer.rows == 0 && plain.text.hasPrefix("entry,kind,"),
                "an empty journal has a header")
        }
    }

    @Test func `a period goes from its first moment until before its end, in the zone`() async throws {
        try await TestLedger.with { ledger, _ in
            // Seconds after 2026-01-01 in UTC; Seoul's day begins nine hours before.
            for second in [-32_401, -32_400, -1, 0, 1, 53_999, 54_000] {
                _ = try await ledger.credit(.sample(second))
            }
            func seconds(_ options: [ExportOption: String]) async throws -> [Int] {
                let records = try await ledger.export(.purchases, options).records
                let entries = Set(try await ledger.export(.journal, options).records.map { $0["entry"] })
                #expect(Set(records.map { $0["entry"] }) == entries, "the journal has the same")
                return records.compactMap { $0["imp_uid"].flatMap { Int($0.dropFirst(4)) } }
            }
            #expect(try await seconds([.from: "2026-01-01"]) == [0, 1, 53_999, 54_000])
            #expect(try await seconds([.to: "2026-01-01"]) == [-32_401, -32_400, -1])
            #expect(
                try await seconds([.from: "2026-01-01", .to: "2026-01-02", .timeZone: "Asia/Seoul"])
                    == [-32_400, -1, 0, 1, 53_999])
            #expect(try await seconds([.from: "2026-01-01T00:00:01Z", .to: "2026-01-01T00:00:02Z"]) == [1])
            #expect(try await seconds([.from: "2026-01-01T00:00:01.000001Z"]) == [53_999, 54_000])
            #expect(try await seconds([.from: "2030-01-01"]) == [])
            let written = try await ledger.export(.purchases, [.timeZone: "Asia/Seoul"]).records
            #expect(written.first?["paid_at"] == "2025-12-31T23:59:59.000+09:00")
            #expect(written[1]["paid_at"] == "2026-01-01T00:00:00.000+09:00")
        }
    }

    @Test func `what was recorded after the moment is left out`() async throws {
        try await TestLedger.with { ledger, _ in
            var moments: [String] = []
            for number in 1...3 {
                let credited = try #require(try await ledger.credit(.sample(number)).credited)
                moments.append(String(decoding: credited.purchase.creditedAt.written, as: UTF8.self))
                _ = try await emptyMillisecond()
            }
            for (index, moment) in moments.enumerated() {
                #expect(try await ledger.export(.journal, [.asOf: moment]).trailer.rows == Int64(6 * (index + 1)))
                #expect(try await ledger.export(.purchases, [.asOf: moment]).trailer.rows == Int64(index + 1))
            }
        }
    }

    @Test func `entries far apart are found, and none between them is missed`() async throws {
        try await TestLedger.withDatabase { test in
            let owner = try await test.connectAsOwner()
            for round in 0..<4 {
                let writer = try await test.writer()
                _ = await writer.post((0..<50).map { CreditPurchase.sample(round * 1000 + $0) })
                await writer.close()
                try await owner.execute(
                    "SELECT setval('record_id', (SELECT last_value FROM record_id) + \(round) * 700000)")
            }
            await owner.close()
            let ledger = try await test.open()
            let records = try await ledger.export(.journal).records
            #expect(records.count == 1200)
            let entries = records.compactMap { $0["entry"].flatMap(Int64.init) }
            #expect(entries == entries.sorted() && Set(entries).count == 200)
            // Two entries with everything between them outside the period.
            let few = try await ledger.export(.journal, [.from: "2026-01-01T00:00:49Z", .to: "2026-01-01T00:16:41Z"])
            #expect(few.trailer.rows == 12)
            await ledger.close()
        }
    }

    @Test func `an export holds what was committed when it began, and nothing of what is written meanwhile`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            for number in 0..<20 { _ = try await ledger.credit(.sample(number)) }
            let early = try await ledger.exports.begin(try ExportRequest(.journal, in: .gmt)).get()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 100..<400 { _ = try await ledger.credit(.sample(number, by: "user-\(number)")) }
                }
                #expect(try await early.read().trailer.rows == 120)
                for _ in 0..<8 {
                    let export = try await ledger.export(.journal)
                    #expect(export.trailer.rows % 6 == 0 && export.trailer.rows >= 120, "entries are whole")
                    let sums = export.trailer.totals.named.map(\.totals)
                    #expect(sums[0].map(\.total) == sums[1].map(\.total), "debits are credits")
                    #expect(Int64(export.records.count) == export.trailer.rows)
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `the same books give the same bytes`() async throws {
        try await TestLedger.with { ledger, _ in
            try await ledger.postNasty()
            for format in ["csv", "jsonl", "xlsx", "hledger", "beancount"] {
                let one = try await ledger.export(.journal, [.format: format])
                let other = try await ledger.export(.journal, [.format: format])
                #expect(one.bytes == other.bytes, "\(format)")
            }
        }
    }

    @Test func `so many run at a time, and one that ends or fails makes room`() async throws {
        struct Enough: Error {}
        try await TestLedger.with { ledger, _ in
            let request = try ExportRequest(.journal, in: .gmt)
            var held: [Export] = []
            for _ in 0..<Exports.most { held.append(try await ledger.exports.begin(request).get()) }
            let refused = try await ledger.exports.begin(request)
            #expect(throws: ExportRefusal.tooMany) { try refused.get() }
            await #expect(throws: Enough.self) { try await held.removeLast().run { _ in throw Enough() } }
            #expect(try await ledger.export(.journal).trailer.rows == 0)
            held = []
            for _ in 0..<Exports.most { held.append(try await ledger.exports.begin(request).get()) }
        }
    }
}

extension Ledger {
    /// Purchases, grants and spends of users with every kind of id, and with reasons of every kind.
    func postNasty() async throws {
        for (number, user) in Nasty.users.enumerated() {
            _ = try await credit(.sample(number, by: user))
            let grant = Grant(
                idempotencyKey: .named("nasty-\(number)"), user: .named(user), coins: sure(Coins(7)),
                reason: Nasty.reason)
            _ = try await submit(grant)
            _ = try await submit(Spend.sample("spend-\(number)", by: user, coins: 50))
        }
    }
}

extension Date {
    /// As answers write it: RFC 3339, rounded down to the millisecond.
    fileprivate var written: [UInt8] {
        var text = ByteText()
        text.append(time: Moment(microseconds: microsecondsSince1970), offset: 0)
        return text.bytes
    }
}
