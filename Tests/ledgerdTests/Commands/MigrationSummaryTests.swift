import Testing

@testable import LedgerServer

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
