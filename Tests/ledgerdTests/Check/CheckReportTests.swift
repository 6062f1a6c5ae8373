import TestSupport
import Testing

@testable import LedgerServer

/// How the results of `ledgerd check` are shown.
@Suite(.timeLimit(.minutes(20))) struct CheckReportTests {
    @Test func `a clock is judged by its distance`() {
        func outcome(_ seconds: Double) -> CheckResult.Outcome {
            ClockOffset(seconds: seconds).result("clock", of: "the database's").outcome
        }
        #expect([0, 4.9, -4.9].map(outcome) == [.ok, .ok, .ok])
        #expect([5.1, -59].map(outcome) == [.warning, .warning])
        #expect([61, -3600].map(outcome) == [.failed, .failed])
        let behind = ClockOffset(seconds: -7300).result("clock", of: "the database's")
        #expect(behind.detail == "the database's clock is 2 h behind ours")
    }

    @Test func `the table has what to do below what was found`() throws {
        let report = CheckReport([
            .ok("listen", "127.0.0.1:8080 is free"), .warning("seal key", "not set", do: "set it"),
            .failed("database role", "can rewrite the books", do: "serve as another"),
        ])
        #expect(
            report.table(isColored: false) == """
                CHECK          RESULT   FOUND
                listen         ok       127.0.0.1:8080 is free
                seal key       warning  not set
                                        → set it
                database role  failed   can rewrite the books
                                        → serve as another

                not ready: 1 failed, 1 with warnings, of 3
                """)
        #expect(report.table(isColored: true).contains("\u{1B}[31mfailed \u{1B}[0m  can"))
        #expect(try report.json.contains(#""check":"seal key""#))
    }

    @Test func `a late test is left behind`() async {
        let answer = await within(.milliseconds(50)) { () async -> Int in
            // Cancelling does not reach it: who waits for it hangs.
            await Task.detached { await untilCancelled() }.value
            return 1
        }
        #expect(answer == nil)
        #expect(await within(.seconds(3600)) { 2 } == 2)
    }
}
