import Testing

@testable import ledgerd_bench

/// Which runs fail.
@Suite(.timeLimit(.minutes(20))) struct VerdictTests {
    private static let target = Target(what: "", figure: "engine/new", base: "copy/old", bound: .atLeast(0.5))

    private static func report(_ new: Double, _ old: Double) -> BenchReport {
        let report = BenchReport()
        report.record("engine/new", new, .perSecond)
        report.record("copy/old", old, .perSecond)
        return report
    }

    @Test(arguments: [
        // The measured figure's part is named, alone or with others: a miss fails.
        (0.4, ["engine"], false, true), (0.4, ["engine", "copy"], false, true), (0.5, ["engine"], false, false),
        // The other figure's part, or no part, is named: a miss is only shown.
        (0.4, ["copy"], false, false), (0.4, [] as [String], false, false),
        // A quick run measures no speed.
        (0.4, ["engine"], true, false),
    ])
    func `a run that names parts fails when a target of these is missed`(
        new: Double, parts: [String], isQuick: Bool, fails: Bool
    ) {
        #expect(Self.report(new, 1).isFailed([Self.target], named: parts, isQuick: isQuick) == fails)
    }

    @Test func `a void figure or a failed part fails every run`() {
        struct Broken: Error {}
        let void = Self.report(1, 1)
        void.record("other", 1, .perSecond, problems: ["lost"])
        #expect(void.isFailed([], named: [], isQuick: true))
        let failed = BenchReport()
        failed.fail("engine", Broken())
        #expect(failed.isFailed([], named: [], isQuick: true))
    }

    @Test func `a ratio to zero is no number, and so is not met`() {
        let report = Self.report(1, 0)
        #expect(report.result(of: Self.target).verdict == "VOID: no number, such as a ratio to zero")
        #expect(report.isFailed([Self.target], named: ["engine"], isQuick: false))
        #expect(!report.isFailed([Self.target], named: ["copy"], isQuick: false))
    }

    @Test func `what was not measured names the part that it needs, and fails nothing`() {
        let report = BenchReport()
        report.record("engine/new", 1, .perSecond)
        #expect(report.result(of: Self.target).verdict == "not measured, needs copy")
        #expect(!report.isFailed([Self.target], named: ["engine"], isQuick: false))
    }

    @Test func `every target belongs to a part, and so does the figure that it divides by`() {
        let parts = Set(allParts.map { $0.name })
        for target in Target.all(Scale()) {
            #expect(parts.contains(target.part), "\(target.figure)")
            if let base = target.base { #expect(parts.contains(Target.part(of: base)), "\(base)") }
        }
    }

    @Test func `targets have different names and figures`() {
        let targets = Target.all(Scale())
        #expect(Set(targets.map(\.what)).count == targets.count)
        #expect(Set(targets.map { "\($0.figure) to \($0.base ?? "")" }).count == targets.count)
    }
}
