import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

/// How commands tell how far they are.
@Suite(.timeLimit(.minutes(20))) struct StatusLineTests {
    private final class Written: Sendable {
        private let text = Mutex("")
        var all: String { text.withLock { $0 } }
        func add(_ more: String) { text.withLock { $0 += more } }
    }

    @Test func `a terminal's line is overwritten ten times a second at most, and cleared`() {
        let written = Written()
        let line = StatusLine(isTerminal: true) { written.add($0) }
        let start = ContinuousClock.Instant.someMoment
        line.show("1 of 9", now: start)
        line.show("2 of 9", now: start + .milliseconds(50))
        line.show("3 of 9", now: start + .milliseconds(100))
        line.end()
        #expect(written.all == "\r\u{1B}[K1 of 9\r\u{1B}[K3 of 9\r\u{1B}[K")
    }

    @Test func `a file gets a line every ten seconds, and the last state`() {
        let written = Written()
        let line = StatusLine(isTerminal: false) { written.add($0) }
        let start = ContinuousClock.Instant.someMoment
        line.show("1 of 9", now: start)
        line.show("2 of 9", now: start + .seconds(9))
        line.show("3 of 9", now: start + .seconds(10))
        line.end()
        line.show("9 of 9", now: start + .seconds(11))
        line.end()
        line.end()
        #expect(written.all == "1 of 9\n3 of 9\n9 of 9\n")
    }
}

@Suite(.timeLimit(.minutes(20))) struct MigrationSummaryTests {
    @Test(arguments: [
        (58, 0, Duration.milliseconds(412), "applied 58 migrations in 0.4 s"),
        (1, 0, .milliseconds(49), "applied 1 migration in 0.0 s"),
        (0, 1, .milliseconds(50), "applied 1 file of functions in 0.1 s"),
        (2, 30, .milliseconds(61_960), "applied 2 migrations and 30 files of functions in 62.0 s"),
        (0, 0, .milliseconds(20), "no pending migrations"),
    ])
    func `what a migration did is one line`(migrations: Int, judges: Int, duration: Duration, text: String) {
        #expect(MigrationSummary.text(migrations: migrations, judges: judges, in: duration) == text)
    }
}
