import TestSupport
import Testing

extension CheckTests {
    @Test func `the sign-in to the console is tested at its provider, and a wrong client is named`() async throws {
        try await House.with { house in
            var good = try await Self.goodSettings(house)
            let gateway = try #require(good["LEDGERD_PORTONE_V2_URL"])
            good.merge(ConsoleHouse.settings(at: TestPort.next(), provider: gateway)) { $1 }
            let unusable = [
                "console provider": "failed", "console keys": "skipped", "console sign-in": "skipped",
                "console client": "skipped",
            ]

            // Of each case: what is set, what it changes, and what the report says.
            let cases: [(settings: [String: String], changed: [String: String], says: String)] = [
                ([:], [:], "accepts ledgerd-console and its secret"),
                (
                    ["LEDGERD_CONSOLE_CLIENT_SECRET": "secret-word"], ["console client": "failed"],
                    "LEDGERD_CONSOLE_CLIENT_SECRET again"
                ),
                (
                    ["LEDGERD_CONSOLE_CLIENT_ID": "another"],
                    ["console client": "failed", "console sign-in": "failed"], "of the client another"
                ),
                (
                    ["LEDGERD_CONSOLE_ISSUER": "\(gateway)/oidc/"], unusable,
                    "set LEDGERD_CONSOLE_ISSUER to \(gateway)/oidc, exactly"
                ),
                (["LEDGERD_CONSOLE_ISSUER": "http://127.0.0.1:9"], unusable, "unreachable"),
            ]
            let usual = [
                "console address": "warning", "console provider": "warning", "console keys": "ok",
                "console sign-in": "ok", "console client": "ok",
            ]
            for one in cases {
                let report = try await Self.check(house, good.merging(one.settings) { $1 })
                let results = Self.results(report.body).filter { $0.key.hasPrefix("console ") }
                #expect(results == usual.merging(one.changed) { $1 }, "\(report.output)")
                #expect(report.output.contains(one.says), "\(report.output)")
                #expect(report.exit == .code(one.changed.values.contains("failed") ? 1 : 0), "\(report.output)")
                for secret in ["secret-word", "sandbox-console-secret"] { #expect(!report.output.contains(secret)) }
            }

            // What `serve` refuses, the check finds too.
            good["LEDGERD_CONSOLE_CLIENT_ID"] = nil
            let report = try await Self.check(house, good)
            #expect(report.exit == .code(1) && report.output.contains("console_client_id"), "\(report.output)")
        }
    }
}
