import Testing

@testable import Ledger

/// The plans of judges and look-ups in each state of tables and statistics that a writer's session can meet.
///
/// A session of each goes through them side by side, for it is the filling of the tables that takes the time.
/// ``JudgePlanTests`` and ``LookUpPlanTests`` tell what is expected.
@Suite(.timeLimit(.minutes(20))) struct KeptPlanTests {
    /// The rows of each large table.
    private static let filling = 20_000

    @Test(arguments: [false, true])
    func `judges and look-ups read by key, with plans of empty tables, of ones never analyzed, and of analyzed ones`(
        isAnalyzedEmpty: Bool
    ) async throws {
        try await PlanSession.with { lookUps in
            try await lookUps.beside { judges in
                if isAnalyzedEmpty { try await judges.execute("ANALYZE") }
                // Judged rows are rolled back, and leave pages: look-ups come first.
                try await LookUpPlanTests.expectKeys(lookUps, "empty")
                try await JudgePlanTests.expectKeys(judges, rows: [1, JudgePlanTests.batch], "empty")
                try await judges.fill(Self.filling)
                try await LookUpPlanTests.expectKeys(lookUps, "grown since")
                if !isAnalyzedEmpty { try await Self.expectKeysAnew(judges) }
                try await JudgePlanTests.expectKeys(judges, rows: [JudgePlanTests.batch], "grown since")
                try await judges.execute("ANALYZE")
                try await LookUpPlanTests.expectKeys(lookUps, "analyzed")
                try await JudgePlanTests.expectKeys(judges, rows: [1, JudgePlanTests.batch], "analyzed")
            }
        }
    }

    /// Expects the same of sessions that meet large tables of which the planner knows nothing.
    private static func expectKeysAnew(_ session: PlanSession) async throws {
        try await session.beside { try await LookUpPlanTests.expectKeys($0, "never analyzed") }
        try await session.beside {
            try await JudgePlanTests.expectKeys($0, rows: [1, JudgePlanTests.batch], "never analyzed")
        }
    }
}
