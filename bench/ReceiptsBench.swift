import ArgumentParser
import Foundation
import Histogram
import Ledger
import LedgerTestSupport
import PGVerifier

/// Receipts per second through everything: HTTP, token, gateway look-up, engine, answer.
///
/// Load generator, ledgerd, the sandbox gateway and PostgreSQL share this machine.
struct ReceiptsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts", abstract: "Receipts and balance reads per second end to end.")

    @Option(
        help: "Clients at the same time: few, whose look-ups go alone, and many, whose look-ups share calls.",
        transform: Self.counts)
    var clients = [8, 128]

    @Option(help: "Receipts to present.")
    var receipts = 20_000

    @Option(help: "Balance reads.")
    var reads = 20_000

    @Option(help: "ledgerd listens on this port, the sandbox gateway on the next (default: two that are free).")
    var port: Int?

    func run() async throws {
        try await TestLedger.with(writers: 1) { ledger, test in
            guard let price = Price(won: 1000), let coins = Coins(100) else { return }
            _ = try await ledger.shop.add(
                ProductDraft(code: "coins_100", title: "100 Coin", price: price, coins: coins))
            let service = try ServiceUnderLoad(databaseURL: test.serviceURL, port: port)
            defer { service.stop() }
            try await service.waitUntilReady()
            try await measure(service)
        }
    }

    private func measure(_ service: ServiceUnderLoad) async throws {
        print("end to end: one ledgerd process, a sandbox gateway, PostgreSQL and the clients on this machine")
        var first = 0
        for clients in clients {
            try await present(first..<(first + receipts), by: clients, to: service)
            first += receipts
        }
    }

    private func present(_ numbers: Range<Int>, by clients: Int, to service: ServiceUnderLoad) async throws {
        let load = Load(clients: clients)
        func run(_ count: Int, _ request: @escaping @Sendable (Int) async throws -> Void) async throws -> String {
            try await load.run(count) { try await request(numbers.lowerBound + $0) }.summary
        }
        print("  \(clients) clients")
        print("    payments made at the gateway: \(try await run(numbers.count) { try await service.pay($0) })")
        let before = try await service.gatewayCalls()
        print("    receipts: \(try await run(numbers.count) { try await service.present($0) })")
        let calls = try await service.gatewayCalls() - before
        print("    gateway calls per receipt: \(Double(Int(calls / Double(numbers.count) * 1000)) / 1000)")
        print("    the same again: \(try await run(numbers.count) { try await service.present($0, expecting: 200) })")
        print("    balance reads: \(try await run(reads) { try await service.readBalance($0) })")
    }

    private static func counts(_ text: String) throws -> [Int] {
        try text.split(separator: ",").map { part in
            guard let count = Int(part), (1...512).contains(count) else {
                throw ValidationError("client counts are integers from 1 to 512, separated by commas")
            }
            return count
        }
    }
}

/// Requests by a number of clients, each sending its next when it has its answer.
struct Load: Sendable {
    let clients: Int

    struct Result: Sendable {
        let count: Int
        let duration: Duration
        /// Microseconds.
        let latencies: Histogram<UInt32>

        var summary: String {
            let rate = Int(Double(count) / (duration / .seconds(1)))
            let milliseconds = [50.0, 99.0, 99.9].map { percentile in
                let microseconds = Double(latencies.valueAtPercentile(percentile))
                return
                    "p\(percentile == 99.9 ? "99.9" : String(Int(percentile))) \((microseconds / 100).rounded() / 10) ms"
            }
            return "\(rate)/s, " + milliseconds.joined(separator: ", ")
        }
    }

    func run(_ count: Int, _ request: @escaping @Sendable (Int) async throws -> Void) async throws -> Result {
        let start = ContinuousClock.now
        let latencies = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for client in 0..<clients {
                group.addTask { [clients] in
                    var latencies: [UInt64] = []
                    for number in stride(from: client, to: count, by: clients) {
                        let sent = ContinuousClock.now
                        try await request(number)
                        latencies.append(UInt64((ContinuousClock.now - sent) / .microseconds(1)))
                    }
                    return latencies
                }
            }
            var histogram = Histogram<UInt32>(highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
            for try await some in group {
                for latency in some { histogram.record(latency) }
            }
            return histogram
        }
        return Result(count: count, duration: ContinuousClock.now - start, latencies: latencies)
    }
}
