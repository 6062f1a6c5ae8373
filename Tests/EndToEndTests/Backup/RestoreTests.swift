import Foundation
import TestSupport
import Testing

/// The primary is lost with its disk, in the middle of the load, and comes back from the backup.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: BackupServer.isSupported)) struct RestoreTests {
    @Test
    func
        `what was acknowledged before the last archived segment survives the loss of the primary, and reconciliation credits the rest once`()
        async throws
    {
        try await BackupServer.with { backup in
            let house = backup.house
            let gateway = try await house.startGateway()
            let service = try await house.serveProcess(at: gateway, backup.settings)
            let shoppers = try await Shoppers(4, ahead: 60, gateway: gateway, service: service)
            async let load: Void = shoppers.run()
            try await eventually("the load is under way") { shoppers.acknowledged.count >= 50 }
            try await backup.backUp("full")
            let atBackup = shoppers.acknowledged.count
            try await eventually("the load goes on") { shoppers.acknowledged.count >= atBackup + 50 }

            let archived = shoppers.acknowledged
            try await backup.archive()
            let before = shoppers.acknowledged.count
            try await eventually("the load goes on") { shoppers.acknowledged.count >= before + 20 }
            // Ordered after the last archived segment, so that nothing of it is left.
            try await shoppers.buy(by: "late")
            try await backup.server.destroy()
            shoppers.stop()
            await load
            try await house.kill(service.process)

            try await backup.restore()
            let restored = Set(
                try await backup.texts("SELECT imp_uid FROM purchase UNION ALL SELECT key FROM idempotency"))
            #expect(archived.count >= 100)
            #expect(archived.subtracting(restored).isEmpty)
            let lost = shoppers.acknowledged.subtracting(restored)
            #expect(!lost.isEmpty, "nothing was lost, so nothing is shown")
            try await Self.expectSound(backup)
            try await Self.expectHealed(shoppers, gateway, backup)
        }
    }

    /// Reconciles, has the users present again what nobody else knows of, and counts.
    private static func expectHealed(_ shoppers: Shoppers, _ gateway: Gateway, _ backup: BackupServer) async throws {
        let house = backup.house
        let credited = Set(try await backup.texts("SELECT imp_uid FROM purchase"))
        let ordered = Set(try await backup.texts(#"SELECT merchant_uid FROM "order""#))
        let gone = shoppers.paid.filter { !credited.contains($0.payment.impUID) }
        let unordered = gone.filter { !ordered.contains($0.payment.merchantUID) }
        #expect(unordered.count >= 1 && unordered.count < gone.count, "\(unordered.count) of \(gone.count)")

        let report = try await reconcile(gateway, backup)
        #expect(report.exit == .code(1))
        #expect(report.outcomes.values.count { $0 == "credited" } == gone.count - unordered.count)
        #expect(report.outcomes.values.count { $0 == "needs_person" } == unordered.count)

        let service = try await house.serve(at: gateway, backup.settings)
        for paid in shoppers.paid {
            let isNew = unordered.contains { $0.payment.impUID == paid.payment.impUID }
            let answer = try await service.present(paid.payment, by: paid.user)
            #expect(answer.status == (isNew ? 201 : 200), "\(answer)")
        }
        let again = try await reconcile(gateway, backup)
        #expect(again.exit == .code(0) && again.kinds.isEmpty, "\(again.kinds)")
        #expect(
            try await backup.texts("SELECT imp_uid FROM purchase ORDER BY 1")
                == shoppers.paid.map(\.payment.impUID).sorted())
        let coins = "SELECT coalesce(sum(balance), 0)::text FROM account WHERE code LIKE 'wallet:%:paid'"
        #expect(try await backup.texts(coins) == ["\(100 * shoppers.paid.count)"])
        try await expectSound(backup)
    }

    private static func reconcile(_ gateway: Gateway, _ backup: BackupServer) async throws -> ReconcileReport {
        let child = try backup.house.start(
            ["reconcile", "--from", Town.from, "--to", Town.to, "--json", "--heal"],
            backup.house.settings(gateway: gateway.url).merging(backup.settings) { $1 })
        let exit = try await child.exit()
        return ReconcileReport(exit, child.standardOutput)
    }

    private static func expectSound(_ backup: BackupServer) async throws {
        let doctor = try await backup.house.run("doctor", with: backup.settings)
        #expect(doctor.exit == .code(0), "\(doctor)")
    }
}
