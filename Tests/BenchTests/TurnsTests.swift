import Synchronization
import TestSupport
import Testing

@testable import ledgerd_bench

@Suite(.timeLimit(.minutes(20))) struct TurnsTests {
    private struct Broken: Error {}

    /// Who was measured, in order.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        var all: String { entries.withLock { $0.joined(separator: " ") } }

        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    /// A contender whose slices take this time of the clock, and have these values one after the other.
    private static func contender(
        _ name: String, takes duration: Duration, _ time: ManualTime, _ log: Log, values: [Double] = [1],
        problemIn bad: Int? = nil
    ) -> Contender {
        let slices = Mutex(0)
        return Contender(part: name, figures: [name]) { _ in
            let slice = slices.withLock { number in
                number += 1
                return number - 1
            }
            log.add(name)
            await time.advance(by: duration)
            return [
                Sample(
                    figure: name, value: values[slice % values.count], unit: .perSecond,
                    problems: slice == bad ? ["lost"] : [])
            ]
        }
    }

    @Test func `figures alternate forwards and backwards until each had its time`() async {
        await ManualTime.with { time in
            let log = Log()
            let turns = Turns(
                contenders: [
                    Self.contender("limit", takes: .seconds(2), time, log),
                    Self.contender("figure", takes: .seconds(1), time, log),
                ], least: 1, time: .seconds(3))
            await turns.run(1, BenchReport())
            // The figure has three seconds after three turns; the limit, which has them after two, goes on with it.
            #expect(log.all == "limit figure figure limit limit figure")
        }
    }

    @Test func `slices that take long still take turns so many times`() async {
        await ManualTime.with { time in
            let log = Log()
            let turns = Turns(
                contenders: [
                    Self.contender("a", takes: .seconds(60), time, log),
                    Self.contender("b", takes: .seconds(60), time, log),
                ], least: 2, time: .seconds(4))
            await turns.run(1, BenchReport())
            #expect(log.all == "a b b a")
        }
    }

    @Test func `slices have different numbers, also in different rounds`() async {
        let numbers = Mutex<[Int]>([])
        let turns = Turns(
            contenders: [
                Contender(part: "a", figures: ["a"]) { number in
                    numbers.withLock { $0.append(number) }
                    return []
                }
            ], least: 3, time: .zero)
        for round in 1...2 { await turns.run(round, BenchReport()) }
        let all = numbers.withLock { $0 }
        #expect(all.count == 6 && Set(all).count == 6)
    }

    @Test func `the best slice of a round counts, and a ratio is of the best slices`() async {
        await ManualTime.with { time in
            let report = BenchReport()
            let log = Log()
            let turns = Turns(
                contenders: [
                    Self.contender("old", takes: .seconds(1), time, log, values: [70, 100, 20]),
                    Self.contender("new", takes: .seconds(1), time, log, values: [10, 20, 50]),
                ], least: 3, time: .seconds(3))
            await turns.run(1, report)
            let result = report.result(of: Target(what: "", figure: "new", base: "old", bound: .atLeast(0.5)))
            #expect(result.spread == Spread([0.5]) && result.verdict == "met")
        }
    }

    @Test func `a slice that went wrong makes its figure void, although another is better`() async {
        await ManualTime.with { time in
            let report = BenchReport()
            let turns = Turns(
                contenders: [
                    Self.contender("a", takes: .seconds(1), time, Log(), values: [1, 2, 3], problemIn: 0)
                ], least: 3, time: .zero)
            await turns.run(1, report)
            #expect(report.isVoid)
            #expect(report.figures.map(\.problem) == ["lost"])
        }
    }

    @Test func `who fails takes no further turn, and does not stop the others`() async {
        await ManualTime.with { time in
            let report = BenchReport()
            let log = Log()
            let broken = Contender(part: "broken", figures: ["broken"]) { _ in
                log.add("broken")
                throw Broken()
            }
            let turns = Turns(
                contenders: [broken, Self.contender("a", takes: .seconds(1), time, log)], least: 2, time: .seconds(2))
            await turns.run(1, report)
            #expect(log.all == "broken a a")
            #expect(report.isVoid && report.failures.count == 1)
        }
    }

    @Test func `the least time counts, and the highest rate`() {
        let samples = [3.0, 1, 2].flatMap {
            [
                Sample(figure: "rate", value: $0, unit: .perSecond),
                Sample(figure: "delay", value: $0, unit: .milliseconds),
            ]
        }
        #expect(Turns.best(samples).map(\.figure) == ["rate", "delay"])
        #expect(Turns.best(samples).map(\.value) == [3, 1])
    }

    @Test func `who is compared takes turns, also through others, and all others are alone`() {
        func contender(_ figures: String..., beside: [String] = []) -> Contender {
            Contender(part: "", figures: figures, beside: beside) { _ in [] }
        }
        func target(_ figure: String, _ base: String?) -> Target {
            Target(what: "", figure: figure, base: base, bound: .atLeast(1))
        }
        let contenders = [
            contender("copy"), contender("alone"), contender("usual 1", "best"), contender("usual 8", "best"),
            contender("engine"), contender("receipts"), contender("peer", beside: ["usual 1"]),
        ]
        let targets = [target("engine", "copy"), target("receipts", "best"), target("alone", nil)]
        #expect(
            Turns.groups(contenders, by: targets).map { $0.map { $0.figures[0] } } == [
                ["copy", "engine"], ["alone"], ["usual 1", "usual 8", "receipts", "peer"],
            ])
    }
}
