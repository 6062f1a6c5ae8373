import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ReportTests {
    @Test func `at any moment lots, liability and trial balance agree`() async throws {
        try await TestLedger.withDatabase { test in
            let writer = try await test.writer()
            var history = RandomHistory(seed: 21)
            var moments: [String?] = []
            for round in 0..<24 {
                let answers = await writer.post(history.batch())
                #expect(!answers.isEmpty)
                if round % 6 == 5 { moments.append(try await Self.now(in: test)) }
            }
            await writer.close()
            let ledger = try await test.open()
            for moment in moments + [nil] { try await Self.expectAgreement(at: moment, ledger) }
            for moment in moments { try await Self.expectAgreement(before: try #require(moment), ledger) }
            // The last moment is now: what is read from the past must be what is read from the present.
            let last = try #require(moments.last ?? nil)
            for report in [Report.trialBalance, .lots] {
                let then = try await ledger.export(report, [.asOf: last]).records
                let now = try await ledger.export(report).records.filter { $0["debit"] != "0" || $0["credit"] != "0" }
                #expect(!now.isEmpty && then.filter { $0["debit"] != "0" || $0["credit"] != "0" } == now, "\(report)")
            }
            await ledger.close()
        }
    }

    private static func now(in test: TestLedger) async throws -> String {
        let owner = try await test.connectAsOwner()
        let text = try await owner.run(
            PostgresQuery<String>.one(
                "SELECT to_char(max(recorded_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') FROM journal_entry"
            ) { row in try row.decode(0, as: String.self) })
        await owner.close()
        return text
    }

    private static func expectAgreement(at moment: String?, _ ledger: Ledger) async throws {
        let options: [ExportOption: String] = moment.map { [.asOf: $0] } ?? [:]
        let classes = try await ledger.export(.trialBalance, options)
        let sums = classes.trailer.totals.named.map(\.totals)
        #expect(sums[0].map(\.total) == sums[1].map(\.total), "debits are credits in each currency")
        let held = Dictionary(
            uniqueKeysWithValues: classes.records.map {
                ($0["account"] ?? "", (Int($0["debit"] ?? ""), Int($0["credit"] ?? "")))
            })
        let lots = try await ledger.export(.lots, options).records
        func sum(_ column: String, _ kind: String? = nil, of records: [[String: String]]) -> Int {
            records.filter { kind == nil || $0["kind"] == kind }.compactMap { $0[column].flatMap(Int.init) }.reduce(
                0, +)
        }
        #expect(sum("deferred", of: lots) == held["coins:deferred-revenue"]?.1)
        for kind in ["paid", "bonus"] {
            #expect(sum("remaining", kind, of: lots) == held["wallet:\(kind)"]?.1 ?? 0)
            #expect(sum("held", kind, of: lots) == held["held:\(kind)"]?.1 ?? 0)
        }
        let liability = try await ledger.export(.liability, options).records
        for column in ["deferred", "remaining", "held"] {
            #expect(sum(column, of: liability) == sum(column, of: lots), "\(column)")
        }
        let accounts = try await ledger.export(.trialBalance, options.merging([.detail: "accounts"]) { $1 })
        #expect(accounts.trailer.totals.named[0].totals.map(\.total) == sums[0].map(\.total))
    }

    /// What took effect before a moment: lots and purchases are what the entries made of them.
    private static func expectAgreement(before moment: String, _ ledger: Ledger) async throws {
        let options = [ExportOption.to: moment]
        var balances: [String: Int] = [:]
        var names: Set<String> = []
        for posting in try await ledger.export(.journal, options).records {
            names.insert(posting["account"] ?? "")
            let name = (posting["account"] ?? "").replacing(":\(posting["owner"] ?? ""):", with: ":")
            balances[name, default: 0] += Int(posting["credit"] ?? "") ?? 0
            balances[name, default: 0] -= Int(posting["debit"] ?? "") ?? 0
        }
        var sums: [String: Int] = [:]
        for lot in try await ledger.export(.lots, options).records {
            let kind = lot["kind"] ?? ""
            sums["coins:deferred-revenue", default: 0] += Int(lot["deferred"] ?? "") ?? 0
            sums["wallet:\(kind)", default: 0] += Int(lot["remaining"] ?? "") ?? 0
            sums["held:\(kind)", default: 0] += Int(lot["held"] ?? "") ?? 0
        }
        for (name, sum) in sums { #expect(sum == balances[name] ?? 0, "\(name) before \(moment)") }
        let classes = try await ledger.export(.trialBalance, options).records
        var held: [String: Int] = [:]
        for line in classes {
            held[line["account"] ?? "", default: 0] += Int(line["credit"] ?? "") ?? 0
            held[line["account"] ?? "", default: 0] -= Int(line["debit"] ?? "") ?? 0
        }
        #expect(held == balances.classified, "before \(moment)")
        let each = try await ledger.export(.trialBalance, options.merging([.detail: "accounts"]) { $1 })
        #expect(
            each.trailer.totals.named[0].totals.map(\.total) == each.trailer.totals.named[1].totals.map(\.total))
        #expect(Set(each.records.compactMap { $0["account"] }) == names)
        var unused: [String: Int] = [:]
        for line in try await ledger.export(.liability, options).records {
            let kind = line["kind"] ?? ""
            unused["coins:deferred-revenue", default: 0] += Int(line["deferred"] ?? "") ?? 0
            unused["wallet:\(kind)", default: 0] += Int(line["remaining"] ?? "") ?? 0
            unused["held:\(kind)", default: 0] += Int(line["held"] ?? "") ?? 0
        }
        #expect(unused.filter { $0.value != 0 } == sums.filter { $0.value != 0 }, "before \(moment)")
    }

    /// Paid in the month's last seconds, known after it.
    @Test func `a payment that is credited after midnight is in every report of its month`() async throws {
        try await TestLedger.with(at: Self.monthEnd - 3600) { ledger, test, clock in
            _ = try await ledger.credit(.sample(1, bonus: 0))
            try await clock.set(to: Self.monthEnd + 1)
            _ = try await ledger.credit(.paid(at: Self.monthEnd - 2))
            _ = try await ledger.submit(Spend.sample(coins: 7))
            let known = ExportOption.asOf
            for (options, payments) in [([ExportOption.to: "2026-02-01"], 2), ([known: "2026-02-01"], 1)] {
                let options = options.merging([.timeZone: "Asia/Seoul"]) { $1 }
                let paid = try await ledger.export(.purchases, options).records.count
                let journal = try await ledger.export(.journal, options).records
                let lots = try await ledger.export(.lots, options).records
                let balance = try await ledger.export(.trialBalance, options).records
                let liability = try await ledger.export(.liability, options).records
                let won = String(payments * 1000)
                #expect(paid == payments && journal.count == payments * 4)
                #expect(lots.map { $0["deferred"] } == Array(repeating: "1000", count: payments))
                #expect(balance.first { $0["account"] == "gateway:receivable" }?["debit"] == won)
                #expect(balance.first { $0["account"] == "coins:deferred-revenue" }?["credit"] == won)
                #expect(liability.map { $0["deferred"] } == [won] && liability.map { $0["lots"] } == ["\(payments)"])
            }
            // What was known at the month's end of what happened in it: neither the late payment nor the spend.
            let both: [ExportOption: String] = [.to: "2026-02-01", .asOf: "2026-02-01", .timeZone: "Asia/Seoul"]
            #expect(try await ledger.export(.liability, both).records.map { $0["deferred"] } == ["1000"])
            #expect(
                try await ledger.export(.trialBalance, both).records.first { $0["account"] == "wallet:paid" }?["credit"]
                    == "100")
            try await Audit.expectSound(test)
        }
    }

    /// The first moment of February 2026 in Seoul.
    private static let monthEnd = Date(timeIntervalSince1970: 1_769_871_600)

    @Test func `an export waits for the batches that are under way`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            let batch = try await test.connectAsService()
            // Nothing was done in the console, paid in a foreign currency, settled or paid out.
            let others: [Report] = [
                .audit, .foreignPayments, .foreignSettlements, .revaluations, .settlements, .payouts, .withholding,
            ]
            for report in Report.ofAnyBooks where !others.contains(report) && !report.isByDay {
                // A batch that has its time, and is not committed.
                try await batch.execute("BEGIN")
                _ = try await batch.run(ClosedPeriod.openFrom)
                async let export = ledger.export(report)
                try await test.waitUntilBlocked()
                try await batch.execute("COMMIT")
                #expect(try await export.trailer.rows > 0, "\(report)")
            }
            await batch.close()
        }
    }

    @Test func `a report that a setting leaves empty is refused`() async throws {
        try await TestLedger.withDatabase { test in
            let off = try await test.open()
            let on = try await test.open(vat: .on)
            #expect(try await refusal(of: .vat, off) == .vatIsOff)
            #expect(try await refusal(of: .adjustments, off) == .noPolicy)
            #expect(try await on.export(.vat).records.isEmpty, "nothing was sold")
            _ = try await off.credit(.sample(1, bonus: 0))
            #expect(try await refusal(of: .vat, on) == .vatIsOff, "it was sold while VAT was off")
            #expect(try await on.export(.vat, [.from: "2030-01-01"]).records.isEmpty, "nothing was sold then")
            _ = try await on.credit(.sample(2, by: "bob", bonus: 0))
            // What was sold with VAT keeps it, also when the setting is off again.
            #expect(try await off.export(.vat).records.isEmpty, "nothing is used")
            #expect(try await refusal(of: .vat, off, [.to: "2025-01-01"]) == .vatIsOff)
            // It says nothing of a later quarter, in which coins were sold without VAT, or none.
            let quarter: [ExportOption: String] = [.from: "2026-01-03", .to: "2026-01-04"]
            #expect(try await refusal(of: .vat, off, quarter) == .vatIsOff)
            #expect(try await on.export(.vat, quarter).records.isEmpty, "nothing was sold then")
            let later = Date(timeIntervalSince1970: 1_767_225_600 + 2.5 * 86_400)
            _ = try await off.credit(.sample(3, by: "cat", bonus: 0, paidAt: later))
            for ledger in [off, on] { #expect(try await refusal(of: .vat, ledger, quarter) == .vatIsOff) }
            // Coins of before that are used are a supply, whatever the setting is.
            _ = try await off.submit(Spend.sample(by: "bob", coins: 10))
            #expect(try await off.export(.vat).records.count == 1)
            #expect(try await off.export(.vat, [.from: "2026-01-03"]).records.map { $0["act"] } == ["spend"])
            for ledger in [off, on] { await ledger.close() }
        }
    }

    private func refusal(
        of report: Report, _ ledger: Ledger, _ options: [ExportOption: String] = [:]
    ) async throws -> ExportRefusal? {
        switch try await ledger.exports.begin(try ExportRequest(report, options, in: .gmt)) {
        case .success: nil
        case .failure(let refusal): refusal
        }
    }

    @Test func `an export as of now is the same when it is made again, while purchases go on`() async throws {
        try await TestLedger.with { ledger, test in
            let reports = [Report.liability, .trialBalance, .lots, .purchases, .journal]
            let buying = Task {
                for round in 0..<4 {
                    _ = try await together(200) { number in
                        try await ledger.credit(.sample(round * 200 + number, by: "user-\(number % 20)"))
                    }
                }
            }
            var made: [(Report, [ExportOption: String], [UInt8])] = []
            for round in 0..<25 {
                let options = [ExportOption.asOf: try await Self.clock(of: test)]
                let report = reports[round % reports.count]
                made.append((report, options, try await ledger.export(report, options).bytes))
            }
            try await buying.value
            for (report, options, bytes) in made {
                #expect(try await ledger.export(report, options).bytes == bytes, "\(report) \(options)")
            }
        }
    }

    static func clock(of test: TestLedger) async throws -> String {
        let owner = try await test.connectAsOwner()
        let now = try await owner.run(ClosedPeriod.clock)
        await owner.close()
        return Moment(microseconds: now.microsecondsSince1970).text
    }

    @Test func `a trial balance names each account once, the stripes added up`() async throws {
        try await TestLedger.with { ledger, _ in
            for number in 0..<12 { _ = try await ledger.credit(.sample(number, by: "user-\(number)")) }
            let classes = try await ledger.export(.trialBalance).records
            #expect(classes.filter { $0["account"] == "coins:issued" }.map { $0["debit"] } == ["1200"])
            #expect(classes.filter { $0["account"] == "wallet:paid" }.map { $0["credit"] } == ["1200"])
            #expect(classes.filter { $0["account"] == "wallet:paid" }.map { $0["accounts"] } == ["12"])
            let accounts = try await ledger.export(.trialBalance, [.detail: "accounts"]).records
            let names = accounts.compactMap { $0["account"] }
            #expect(Set(names).count == names.count && !names.contains { $0.contains("/") })
            #expect(accounts.first { $0["account"] == "wallet:user-3:bonus" }?["credit"] == "10")
        }
    }

    @Test func `the liability is listed by kind, product and expiry`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample(1))
            let soon = Date().addingTimeInterval(10 * 86_400)
            let later = Date().addingTimeInterval(200 * 86_400)
            _ = try await ledger.submit(Grant.sample("a", to: "ann", coins: 5, expiresAt: soon))
            _ = try await ledger.submit(Grant.sample("b", to: "bob", coins: 6, expiresAt: soon))
            _ = try await ledger.submit(Grant.sample("c", to: "bob", coins: 7, expiresAt: later))
            let records = try await ledger.export(.liability).records
            let lines = records.map { record in
                ["kind", "product", "expires", "lots", "users", "unused", "deferred"].map { record[$0] ?? "?" }
                    .joined(separator: "|")
            }
            #expect(
                lines == [
                    "paid|coins_100|never|1|1|100|1000", "bonus|coins_100|never|1|1|10|0",
                    "bonus||1 within 30 days|2|2|11|0", "bonus||3 within a year|1|1|7|0",
                ])
            let future = try await ledger.export(.liability, [.asOf: "2999-01-01"]).records
            #expect(future.filter { $0["expires"] == "0 overdue" }.count == 1)
        }
    }
}

extension Moment {
    /// As an option that means exactly it, without a fraction that stands for a whole millisecond.
    fileprivate var text: String {
        var text = ByteText()
        text.append(time: self, offset: 0, fraction: .milliseconds)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

extension CreditPurchase {
    fileprivate static func paid(at paidAt: Date) -> CreditPurchase {
        .sample(2, bonus: 0, paidAt: paidAt)
    }
}

extension [String: Int] {
    /// The accounts that are somebody's, added up by kind; `debt` and `earnings` are named by their owners in a journal.
    fileprivate var classified: [String: Int] {
        reduce(into: [:]) { sums, one in
            let kind = ["debt", "earnings"].first { one.key.hasPrefix("\($0):") }
            sums[kind ?? one.key, default: 0] += one.value
        }
    }
}
