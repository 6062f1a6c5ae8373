import Foundation
import TestSupport
import Testing

// By `ledgerd reconcile`.
extension ReconciliationServiceTests {
    @Test func `the command prints differences as a table, and how far it is`() async throws {
        try await Town.with { town in
            try await town.pay("V1", "unclaimed")
            try await town.pay("V1", "good")
            try await town.credit("V1", ["good"])
            try await town.credit("V2", ["unknown"])
            let run = try await town.house.run(
                "reconcile", "--from", Town.from, "--to", Town.to, "--progress", with: town.settings)
            #expect(run.exit == .code(1), "\(run)")
            #expect(run.output.contains("KIND                       PAYMENTS\nmatched                           1\n"))
            #expect(
                run.output.contains("\nhealed                            0\ndifferences                       2\n\n"))
            let rows = run.output.split(separator: "\n").suffix(3).map {
                $0.split(separator: " ").joined(separator: " ")
            }
            #expect(
                rows == [
                    "DIFFERENCE GATEWAY IMP_UID MERCHANT_UID STATUS PAID CANCELLED PURCHASE CREDITED REFUNDED OUTCOME",
                    "paid_not_credited portone-v1 imp_unclaimed order-V1-unclaimed paid 1000 KRW 0 KRW - - - -",
                    "credited_not_paid portone-v2 tx_unknown order-V2-unknown - - - \(try await Self.purchase("order-V2-unknown", town)) "
                        + "1000 KRW 0 KRW -",
                ], "\(run.output)")
            let progress = run.errors.split(separator: "\n")
            #expect(progress.first == "1/6 portone-v1/payments: 0 payments", "\(run.errors)")
            #expect(progress.last == "6/6 examining: 2 of 2 payments", "\(run.errors)")
        }
    }

    private static func purchase(_ order: String, _ town: Town) async throws -> Int64 {
        try await town.house.books.count("SELECT id FROM purchase WHERE merchant_uid = '\(order)'")
    }

    @Test func `a command that is cut off is gone on with by the same command`() async throws {
        try await Town.with { town in
            try await town.fill("V1", count: 1500)
            try await town.holdPages(after: 500)
            let command = try town.house.start(
                ["reconcile", "--from", Town.from, "--to", Town.to], town.settings)
            try await town.waitUntilAPageWaits()
            try await town.house.kill(command)
            try await town.letPages()
            try await town.house.books.execute("UPDATE reconciliation_run SET leased_until = now()")
            let report = try await town.reconcile()
            #expect(report.exit == .code(0) && report.run["id"] == 1)
            #expect(report.counts["matched"] == 1500)
        }
    }

    @Test func `while the gateway is away a run waits, and says why`() async throws {
        try await Town.with { town in
            try await town.pay("V1", "unclaimed")
            try await town.gateway.fail(
                #"{"path": "/payments/status", "times": 1000, "kind": "status", "status": 503}"#)
            let failed = try await town.reconcile()
            #expect(failed.exit == .code(2))
            let failure = try await town.house.books.texts("SELECT failure FROM reconciliation_run WHERE failures = 1")
            #expect(failure.first?.contains("server_error") ?? false, "\(failure)")
            try await town.gateway.fail(#"{"path": "/payments/status", "times": 0, "kind": "status", "status": 503}"#)
            try await town.house.books.execute("UPDATE reconciliation_run SET leased_until = now()")
            let report = try await town.reconcile()
            #expect(report.exit == .code(1) && report.run["id"] == 1)
        }
    }
}
