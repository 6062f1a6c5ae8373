import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Prepaid means over HTTP and by command.
@Suite(.timeLimit(.minutes(20))) struct PrepaidServiceTests {
    private static func body(_ balance: Int, _ method: String = "trust", at day: String = "2026-11-01") -> String {
        #"{"custodian": "bank", "method": "\#(method)", "balance": \#(balance), "held_at": "\#(day)"}"#
    }

    @Test func `finance enters what a custodian holds, and a shortfall is a finding`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let finance = Token.finance()
            func enter(_ key: String, _ body: String) async throws -> Answer {
                try await service.post("/v1/custody-balances", body, key: key, as: finance)
            }
            let first = try await enter("one", Self.body(900))
            #expect(first.status == 201 && first.json["held_at"].text == "2026-10-31T15:00:00.000Z", "\(first)")
            #expect(first.json["entered_by"].text == "a-clerk" && first.json["balance"] == 900)
            let again = try await enter("one", Self.body(900))
            #expect(again.json == first.json && again.headers["Idempotent-Replayed"] == "true", "\(again)")
            #expect(first.headers["Idempotent-Replayed"] == nil)
            #expect(try await enter("one", Self.body(901)).code == "idempotency_key_reused")
            let wrong = [
                Self.body(-1), Self.body(1, "sofa"), Self.body(1, at: "2226-01-01"), Self.body(1, at: "soon"), "{}",
            ]
            for body in wrong { #expect(try await enter("two", body).status == 400, "\(body)") }
            let keyless = try await service.post("/v1/custody-balances", Self.body(1), as: finance)
            #expect(keyless.code == "idempotency_key_missing")

            let findings = try await service.get("/v1/findings?kind=custody_short", as: finance).json["findings"]
                .elements
            #expect(findings.count == 1 && findings.first?["gateway"].text == nil, "\(findings)")
            let claim = try await service.post(
                "/v1/findings/\(findings.first?["id"].integer ?? 0)/claim", #"{"user": "ann", "reason": "x"}"#,
                as: finance)
            #expect(claim.status == 400, "\(claim)")
            let status = try await service.get("/v1/prepaid", as: finance).json
            #expect(status["outstanding"] == 1000 && status["above_limit"] == .bool(false), "\(status)")
            #expect(status["safeguard"]["required"] == 1000 && status["safeguard"]["shortfall"] == 100)
            #expect(status["issued_in_twelve_months"] == 1000 && status["outstanding_limit"] == 3_000_000_000)

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let added = try await house.run(
                "custody", "add", "--custodian", "insurer", "--method", "guarantee_insurance", "--balance", "100",
                "--by", "kim", with: settings)
            #expect(added.exit == .code(0) && added.output.contains("held 1000, missing 0 KRW"), "\(added)")
            #expect(try await service.get("/v1/findings", as: finance).json["findings"].elements.isEmpty)
            let shown = try await house.run("custody", with: settings)
            #expect(shown.exit == .code(0) && shown.output.contains("required 1000, held 1000"), "\(shown)")
            let listed = try await house.run("custody", "list", "--json", with: settings)
            #expect(listed.output.contains(#""entered_by":"kim""#), "\(listed)")
            let half = try await house.run(
                "custody", "show", "--prepaid-safeguard-percent", "50", "--json", with: settings)
            #expect(half.output.contains(#""required":500"#), "\(half)")
            for arguments in [["--balance=-1"], ["--balance", "1", "--held-at", "2226-01-01"]] {
                let refused = try house.start(
                    ["custody", "add", "--custodian", "x", "--method", "trust"] + arguments, settings)
                #expect(try await refused.exit() == .code(64), "\(arguments): \(refused.standardError)")
            }
            let list = try await service.get("/v1/custody-balances?limit=1", as: finance).json
            #expect(
                list["custody_balances"].elements.map { $0["custodian"] } == ["insurer"] && list["has_more"] == true)
            #expect(try await service.get("/v1/prepaid", as: Token.service()).status == 403)
            #expect(try await service.get("/v1/custody-balances", as: Token.user("ann")).status == 403)
            let reading = Token.make(sub: "r", scope: "finance:read")
            let refused = try await service.post("/v1/custody-balances", Self.body(1), key: "r", as: reading)
            #expect(refused.json["required_scope"] == "finance:write", "\(refused)")
            try await house.expectSound()
        }
    }

    @Test func `vouchers need the accounts of the ERP, and nothing is half-written`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let file = house.directory.appending(path: "accounts.csv").path
            try "account,code,name\ngateway:receivable,0120,미수금\n".write(
                toFile: file, atomically: true, encoding: .utf8)
            let service = try await house.serve(at: gateway, ["LEDGERD_VOUCHER_ACCOUNTS": file])
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let path = "/v1/exports/vouchers?from=2026-01-01&to=2028-01-01"
            let missing = try await service.get(path, as: Token.finance())
            #expect(
                missing.status == 400 && missing.json["accounts"].elements == ["coins:deferred-revenue"], "\(missing)")

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let output = house.directory.appending(path: "vouchers.csv").path
            func export() async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                try await house.run(
                    "export", "vouchers", "--from", "2026-01-01", "--to", "2028-01-01", "--accounts", file, "--for",
                    "excel", "--output", output, with: settings)
            }
            let refused = try await export()
            #expect(refused.exit == .code(1) && refused.errors.contains("coins:deferred-revenue"), "\(refused)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: house.directory.path).allSatisfy {
                    !$0.contains("vouchers")
                })
            try "account,code,name\ngateway:receivable,0120,미수금\ncoins:deferred-revenue,0259,선수금\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            let written = try await export()
            #expect(written.exit == .code(0), "\(written)")
            let text = try String(contentsOfFile: output, encoding: .utf8)
            #expect(text.contains(#","=""0120""",미수금,,,purchase,1000,0"#), "\(text)")
            #expect(text.contains(#","=""0259""",선수금,,,purchase,0,1000"#), "\(text)")
            let without = try await house.serve(at: gateway)
            #expect(try await without.get(path, as: Token.finance()).status == 404)
        }
    }
}
