import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

/// Settlement files are read one at a time, only so many wait, and each is kept under its name.
@Suite(.timeLimit(.minutes(20))) struct SettlementReadingTests {
    /// How many reads run, the most at once, and how many are done.
    private final class Watch: Sendable {
        private let state = Mutex((running: 0, most: 0, done: 0))

        var most: Int { state.withLock { $0.most } }
        var done: Int { state.withLock { $0.done } }

        func enter() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
        }

        func leave() {
            state.withLock { state in
                state.running -= 1
                state.done += 1
            }
        }
    }

    @Test func `files are read one at a time`() async throws {
        let reading = SettlementReading(limit: 100)
        let watch = Watch()
        let numbers = try await together(100) { number in
            try await reading.read {
                watch.enter()
                // Others get the processor meanwhile, and would enter if they could.
                for _ in 0..<100 where watch.most == 1 { sched_yield() }
                watch.leave()
                return number
            }
        }
        #expect(numbers == Array(0..<100))
        #expect(watch.most == 1 && watch.done == 100)
    }

    @Test func `more files than may wait are refused`() async throws {
        let reading = SettlementReading(limit: 3)
        let gate = DispatchSemaphore(value: 0)
        let reads = (0..<3).map { number in
            Task {
                try await reading.read {
                    gate.wait()
                    return number
                }
            }
        }
        try await eventually("all have a place") { reading.taken == 3 }
        let problem = await #expect(throws: Problem.self) { try await reading.read { 0 } }
        #expect(problem?.code == .overloaded)
        for _ in reads { gate.signal() }
        for (number, read) in reads.enumerated() { #expect(try await read.value == number) }
        #expect(reading.taken == 0)
        #expect(try await reading.read { "again" } == "again")
        await #expect(throws: CancellationError.self) { try await reading.read { throw CancellationError() } }
    }

    @Test func `a file is kept under its name, which is cut as the name of a request is counted`() {
        #expect(SettlementImport.name(of: "정산 2026-01.csv") == "정산 2026-01.csv")
        // As macOS has names: 정 is three characters of Unicode.
        let long = String(repeating: "정", count: 100).decomposedStringWithCanonicalMapping
        #expect(long.count == 100 && long.unicodeScalars.count == 300)
        let kept = SettlementImport.name(of: long)
        #expect(kept.unicodeScalars.count == 198 && long.hasPrefix(kept.prefix(66)))
        #expect(SettlementImport.name(of: "") == "settlement.csv")
    }
}
