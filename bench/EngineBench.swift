import ArgumentParser
import Foundation
import Ledger
import LedgerTestSupport

/// Purchases per second through the engine alone: no HTTP, no gateway, fsync on.
struct EngineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine", abstract: "Purchases per second of the engine alone, by batch size.")

    @Option(help: "Batch sizes to measure.", transform: Self.sizes)
    var batches = [1, 64, 256, 1024]

    @Option(help: "Connections that post.")
    var writers = 1

    @Option(help: "Seconds for each batch size.")
    var seconds = 5.0

    @Option(help: "Users that buy.")
    var users = 10_000

    func run() async throws {
        print("engine: purchases/s, \(writers) writer(s), \(users) users, \(seconds) s each")
        for batch in batches {
            let rate = try await TestLedger.with(writers: writers, batchLimit: batch) { ledger, _ in
                try await measure(ledger, inFlight: 2 * batch * writers)
            }
            print("  batches of \(batch): \(Int(rate))")
        }
    }

    /// Keeps that many purchases waiting, so that every batch is full, and counts what is committed.
    private func measure(_ ledger: Ledger, inFlight: Int) async throws -> Double {
        let warmUp = ContinuousClock.now + .seconds(1)
        let end = warmUp + .seconds(seconds)
        let committed = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<inFlight {
                group.addTask { try await buy(from: ledger, lane: lane, countingFrom: warmUp, until: end) }
            }
            return try await group.reduce(0, +)
        }
        return Double(committed) / seconds
    }

    private func buy(
        from ledger: Ledger, lane: Int, countingFrom start: ContinuousClock.Instant,
        until end: ContinuousClock.Instant
    ) async throws -> Int {
        let source = PurchaseSource(users: users)
        var bought = 0
        var serial = 0
        while true {
            serial += 1
            _ = try await ledger.submit(.creditPurchase(source.purchase(lane: lane, serial: serial)))
            let now = ContinuousClock.now
            if now >= end { return bought }
            if now >= start { bought += 1 }
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
