import ArgumentParser
import Ledger
import LedgerTestSupport

/// What a day looks like: 60 % balance reads, 25 % spends, 15 % receipts, end to end.
struct MixedBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mixed", abstract: "60 % balance reads, 25 % spends, 15 % receipts per second, end to end.")

    @Option(help: "Clients at the same time.")
    var clients = 64

    @Option(help: "Requests in all.")
    var requests = 40_000

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
            try await service.fill()
            try await measure(service)
        }
    }

    private func measure(_ service: ServiceUnderLoad) async throws {
        let load = Load(clients: clients)
        _ = try await load.run(requests) { number in
            if Kind(number) == .receipt { try await service.pay(number) }
        }
        let result = try await load.run(requests) { number in
            switch Kind(number) {
            case .read: try await service.readBalance(number)
            case .spend: try await service.spend(number)
            case .receipt: try await service.present(number)
            }
        }
        print("mixed: 60 % balance reads, 25 % spends, 15 % receipts, \(clients) clients: \(result.summary)")
    }

    /// Which request a number is: in every twenty, twelve reads, five spends and three receipts, well mixed.
    private enum Kind {
        case read, spend, receipt

        init(_ number: Int) {
            switch (number &* 7919 &+ number / 20) % 20 {
            case 0..<12: self = .read
            case 12..<17: self = .spend
            default: self = .receipt
            }
        }
    }
}
