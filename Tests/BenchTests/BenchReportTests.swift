import Foundation
import Testing

@testable import ledgerd_bench

@Suite(.timeLimit(.minutes(20))) struct BenchReportTests {
    private static let target = Target(what: "new to old", figure: "new", base: "old", bound: .atLeast(0.5))

    @Test func `a ratio is of the same round, and its median and range are shown`() throws {
        let report = BenchReport()
        for (round, values) in [(10.0, 10.0), (30, 40), (20, 80)].enumerated() {
            report.begin(round: round + 1)
            report.record("new", values.0, .perSecond)
            report.record("old", values.1, .perSecond)
        }
        let result = report.result(of: Self.target)
        #expect(result.spread == Spread([0.25, 0.75, 1]))
        #expect(result.spread?.median == 0.75 && result.spread?.low == 0.25 && result.spread?.high == 1)
        #expect(result.verdict == "met")
        #expect(report.tables([Self.target]).contains("0.750    0.250–1.00   ≥ 0.5      met"))
        #expect(!report.isVoid)
    }

    @Test func `a median that misses the bound says so`() {
        let report = BenchReport()
        report.record("new", 1, .perSecond)
        report.record("old", 3, .perSecond)
        #expect(report.result(of: Self.target).verdict == "missed")
        #expect(report.result(of: Target(what: "", figure: "new", base: nil, bound: .atMost(1))).verdict == "met")
    }

    @Test func `what was not measured has no verdict`() {
        let report = BenchReport()
        report.record("new", 1, .perSecond)
        #expect(report.result(of: Self.target).verdict == "not measured, needs old")
    }

    @Test(arguments: ["new", "old"])
    func `one void round makes the figure and every ratio to it void`(broken: String) throws {
        let report = BenchReport()
        for round in 1...3 {
            report.begin(round: round)
            for name in ["new", "old"] {
                let isBroken = round == 2 && name == broken
                report.record(name, 2, .perSecond, problems: isBroken ? ["3 acts are not in the books"] : [])
            }
        }
        #expect(report.isVoid)
        #expect(report.result(of: Self.target).verdict == "VOID: 3 acts are not in the books")
        #expect(report.tables([Self.target]).contains("VOID: 3 acts are not in the books"))
        let json = String(decoding: try report.json(.quick, [Self.target]), as: UTF8.self)
        #expect(json.contains(#""verdict" : "VOID: 3 acts are not in the books""#))
    }

    @Test func `a part that did not finish makes the run void`() {
        struct Broken: Error {}
        let report = BenchReport()
        report.fail("reads", Broken())
        #expect(report.isVoid && report.tables([]).contains("FAILED: reads"))
    }
}
