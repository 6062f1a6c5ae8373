import ArgumentParser
import Foundation
import Ledger
import LedgerTestSupport

/// Acts per second through the engine alone: no HTTP, no gateway, fsync on.
struct EngineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine", abstract: "Purchases, spends and holds per second of the engine alone, by batch size.")

    @Option(
        help: "What to measure, of \(EngineAct.allCases.map(\.rawValue).joined(separator: ", ")).", transform: Self.acts
    )
    var acts = EngineAct.allCases

    @Option(help: "Batch sizes to measure.", transform: Self.sizes)
    var batches = [1, 64, 256, 1024]

    @Option(help: "Connections that post.")
    var writers = 1

    @Option(help: "Seconds for each batch size.")
    var seconds = 5.0

    @Option(help: "Users with wallets.")
    var users = 10_000

    func run() async throws {
        for act in acts {
            print("engine: \(act.rawValue)/s, \(writers) writer(s), \(users) users, \(seconds) s each")
            for batch in batches {
                let rate = try await TestLedger.with(writers: writers, batchLimit: batch) { ledger, test in
                    if act.needsCoins { try await fill(test) }
                    return try await measure(act, ledger, inFlight: 2 * batch * writers)
                }
                print("  batches of \(batch): \(Int(rate))")
            }
        }
    }

    /// Gives every user coins enough for all that is to come: a bought lot each.
    private func fill(_ test: TestLedger) async throws {
        let ledger = try await test.open(writers: 2)
        let source = PurchaseSource(users: users)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<2048 {
                group.addTask {
                    for user in stride(from: lane, to: users, by: 2048) {
                        _ = try await ledger.submit(source.fortune(of: user))
                    }
                }
            }
            try await group.waitForAll()
        }
        await ledger.close()
    }

    /// Keeps that many acts waiting, so that every batch is full, and counts what is committed.
    private func measure(_ act: EngineAct, _ ledger: Ledger, inFlight: Int) async throws -> Double {
        let warmUp = ContinuousClock.now + .seconds(1)
        let end = warmUp + .seconds(seconds)
        let committed = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<inFlight {
                group.addTask { try await go(on: act, ledger, lane: lane, countingFrom: warmUp, until: end) }
            }
            return try await group.reduce(0, +)
        }
        return Double(committed) / seconds
    }

    private func go(
        on act: EngineAct, _ ledger: Ledger, lane: Int, countingFrom start: ContinuousClock.Instant,
        until end: ContinuousClock.Instant
    ) async throws -> Int {
        let source = PurchaseSource(users: users)
        var done = 0
        var serial = 0
        while true {
            serial += 1
            try await act.perform(on: ledger, source, lane: lane, serial: serial)
            let now = ContinuousClock.now
            if now >= end { return done }
            if now >= start { done += 1 }
        }
    }

    private static func acts(_ text: String) throws -> [EngineAct] {
        try text.split(separator: ",").map { part in
            guard let act = EngineAct(rawValue: String(part)) else {
                throw ValidationError("there is no act called \(part)")
            }
            return act
        }
    }

    private static func sizes(_ text: String) throws -> [Int] {
        try text.split(separator: ",").map { part in
            guard let size = Int(part), (1...1024).contains(size) else {
                throw ValidationError("batch sizes are integers from 1 to 1,024, separated by commas")
            }
            return size
        }
    }
}
