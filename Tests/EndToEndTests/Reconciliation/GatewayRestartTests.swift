import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The sandbox gateway's payments outlast it, as those of a real gateway would.
@Suite(.serialized, .timeLimit(.minutes(20))) struct GatewayRestartTests {
    @Test func `after the gateway was killed nothing differs, and what was paid before is refunded`() async throws {
        try await House.with { house in
            let (gateway, process) = try await start(house)
            let service = try await house.serve(at: gateway, Hooks.v2Settings(at: gateway))
            var bought: [(payment: Payment, purchase: Int64)] = []
            for version in Version.allCases {
                let payment = try await gateway.pay("5000", #", "version": "\#(version.rawValue)""#)
                let answer = try await service.present(payment, at: version)
                let purchase = try #require(answer.purchase["id"].integer, "\(answer)")
                let part = try await service.refund(purchase, #", "coins": 100"#, key: "before-\(version)")
                #expect(part.status == 201, "\(part)")
                bought.append((payment, purchase))
            }
            try await house.kill(process)
            let (back, _) = try await start(house, port: gateway.port)
            let settings = house.settings(gateway: back.url).merging(Hooks.v2Settings(at: back)) { $1 }
            let run = try house.start(["reconcile", "--from", Town.from, "--to", Town.to, "--json"], settings)
            let report = ReconcileReport(try await run.exit(), run.standardOutput)
            #expect(report.exit == .code(0) && report.run["differences"] == 0, "\(report.run)")
            #expect(report.counts["matched"] == 2, "\(report.run)")
            for (payment, purchase) in bought {
                let part = try await service.refund(purchase, #", "coins": 100"#, key: "after-\(purchase)")
                // The first request may meet a connection that ended with the gateway.
                #expect([201, 202].contains(part.status), "\(part)")
                try await house.waitUntilDecided()
                #expect(try await back.cancellations(payment).count == 2)
                try await house.expectAgreement(with: back, on: payment)
            }
        }
    }

    /// Starts the gateway that keeps its payments in the house.
    private func start(_ house: House, port: Int = TestPort.next()) async throws -> (Gateway, ChildProcess) {
        let child = try house.startSandbox(
            "--listen", "127.0.0.1:\(port)", "--data", house.directory.appending(path: "payments").path)
        try await eventually("the gateway serves") { child.standardError.contains("serving address=") }
        return (Gateway(port: port, transport: house.transport), child)
    }
}
