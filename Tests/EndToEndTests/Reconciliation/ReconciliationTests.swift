import EndToEndSupport
import Foundation
import Ledger
import TestSupport
import Testing

/// What the gateways say of a period is compared with the books: everything is found, nothing invented.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReconciliationTests {
    /// The number of ordinary payments of each API: more than a page of its list, and fifty thousand in all at most.
    private static let many = Effort.count(600, upTo: 24_860)

    @Test func `all discrepancies are found and none invented, and healing leaves those for people`() async throws {
        try await Town.with { town in
            var planted = Discrepancies()
            for version in ["V1", "V2"] {
                try await town.fill(version, count: Self.many)
                try await planted.plant(version, in: town)
            }
            var report = try await town.reconcile()
            #expect(report.exit == .code(1))
            #expect(report.kinds == planted.kinds)
            #expect(report.counts["matched"].integer == planted.matched + 2 * Int64(Self.many))
            #expect(report.counts["waiting"].integer == planted.waiting)
            #expect(report.outcomes.isEmpty)

            // What matches by far the most was paid earlier: it need not be reported three times.
            report = try await town.reconcile("--heal", from: Town.later)
            #expect(report.exit == .code(1))
            #expect(report.kinds == planted.kinds)
            #expect(report.outcomes.values.count { $0 == "credited" } == 30)
            #expect(report.outcomes.values.count { $0 == "clawed_back" } == 60)
            #expect(report.outcomes.values.count { $0 == "needs_person" } == planted.left.count)
            #expect(report.run["healed"] == 90)
            // What a pending refund has cancelled is not taken a second time, and what was cancelled beyond it is taken.
            let besidePending = try await town.house.books.texts(
                """
                SELECT refunded_amount || ': ' || count(*) FROM purchase JOIN refund ON refund.purchase_id = purchase.id
                WHERE refund.status = 'pending' GROUP BY refunded_amount ORDER BY refunded_amount
                """)
            #expect(besidePending == ["0: 20", "200: 10"])

            report = try await town.reconcile(from: Town.later)
            #expect(report.kinds == planted.left)
            #expect(report.counts["matched"].integer == planted.matched + 80)
            // The town's purchases were written without their entries, so only what was posted since can be sound.
            #expect(
                try await town.house.books.count(
                    """
                    SELECT count(*) FROM (
                        SELECT FROM posting GROUP BY journal_entry_id, currency
                        HAVING sum(CASE side WHEN 'D' THEN amount ELSE -amount END) <> 0) AS wrong
                    """) == 0)
        }
    }
}

/// What `ledgerd reconcile` printed.
struct ReconcileReport {
    let exit: ChildProcess.Exit
    let run: JSON
    /// The kind of each difference, by gateway and id.
    let kinds: [String: ReconciliationKind]
    /// What was done about differences.
    let outcomes: [String: String]

    var counts: JSON { run["counts"] }

    init(_ exit: ChildProcess.Exit, _ output: String) {
        let document = JSON(Array(output.utf8))
        self.exit = exit
        run = document["reconciliation"]
        var kinds: [String: ReconciliationKind] = [:]
        var outcomes: [String: String] = [:]
        for item in document["items"].elements {
            let name = "\(item["gateway"].text ?? "") \(item["imp_uid"].text ?? "")"
            kinds[name] = item["kind"].text.flatMap(ReconciliationKind.init(rawValue:))
            outcomes[name] = item["outcome"].text
        }
        self.kinds = kinds
        self.outcomes = outcomes
    }
}

extension Town {
    /// Runs `ledgerd reconcile` over the whole time.
    func reconcile(
        _ flags: String..., from: String = Town.from, to: String = Town.to
    ) async throws -> ReconcileReport {
        let child = try house.start(
            ["reconcile", "--from", from, "--to", to, "--json"] + flags, settings)
        let exit = try await child.exit()
        return ReconcileReport(exit, child.standardOutput)
    }
}
