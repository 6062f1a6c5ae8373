import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

/// Whatever dies between the payment and its coins, they come, and once.
@Suite(.serialized, .timeLimit(.minutes(20))) struct KillTests {
    /// Where between a request and its answer something dies.
    enum Step: CaseIterable { case beforeTheRequest, beforeTheAnswer }

    @Test(arguments: Step.allCases)
    func `the service is killed under a receipt and an act`(step: Step) async throws {
        try await Shop.open(killing: true) { shop in
            let payment = try await shop.gateway.pay()
            let app = shop.app(retries: RetryPolicy(attempts: 200, patience: 120, firstPause: 0.1))
            let other = shop.other(retries: RetryPolicy(attempts: 200, patience: 120, firstPause: 0.1))
            _ = try await other.grant(GrantRequest(coins: 10, reason: "x"), to: "ann", key: "g")
            if step == .beforeTheRequest { try await shop.service.end() }
            shop.relay.next(.holdAnswer, .holdAnswer)
            let answered = shop.relay.answered

            async let credited = app.present(payment.request)
            async let spent = other.spend(SpendRequest(coins: 5), of: "ann", key: "s")
            if step == .beforeTheAnswer {
                try await eventually("the service has answered both") { shop.relay.answered >= answered + 2 }
                try await shop.service.end()
            }
            let successor = try await shop.house.serve(at: shop.gateway)
            shop.relay.turn(to: successor.port)
            shop.relay.breakHeld()
            #expect(try await credited.credited?.purchase?.impUID == payment.impUID)
            #expect(try await spent.spend.coins == 5)
            #expect(try await app.me.balance().total == 105)
            try await shop.house.expectSound()
        }
    }

    @Test func `a receipt stays in the queue while the gateway is away`() async throws {
        try await Shop.open { shop in
            let payment = try await shop.gateway.pay()
            try await shop.gateway.fail(#"{"path": "/payments", "times": 1000, "kind": "status", "status": 503}"#)
            let queue = ReceiptQueue(file: shop.receipts, client: shop.app())
            let waiting = sure(try await queue.present(payment.request, for: "ann").waiting)
            #expect(waiting.code == "gateway_unavailable")
            #expect(try await queue.waiting(for: "ann") == [payment.request])

            try await shop.gateway.fail(#"{"path": "*", "times": 0}"#)
            let presented = try await queue.drain(for: "ann")
            #expect(try presented.map { try $0.result.get().credited?.balance.total } == [100])
            #expect(try await queue.waiting(for: "ann").isEmpty)
        }
    }

    @Test(arguments: Step.allCases)
    func `the app is killed between payment and verification`(step: Step) async throws {
        try await Shop.open { shop in
            let receipt = "POST /v1/receipts"
            shop.relay.each(receipt, step == .beforeTheRequest ? .hold : .holdAnswer)
            var first = try shop.run("buy")
            try await eventually("it presents the receipt") {
                if shop.relay.requests.contains(where: { $0.hasPrefix(receipt) }) { return true }
                if first.hasEnded {
                    // A request took longer than the app waits, so its user tries again.
                    try #require(first.standardError.contains("no response"), "\(first.standardError)")
                    first = try shop.run("buy")
                }
                return false
            }
            if step == .beforeTheAnswer {
                try await eventually("it is credited") { try await shop.house.books.purchases == 1 }
            }
            try await shop.house.kill(first)
            #expect(try await shop.house.books.purchases == (step == .beforeTheRequest ? 0 : 1))

            shop.relay.next()
            let second = try shop.run("resume")
            #expect(try await second.exit() == .code(0), "\(second.standardError)")
            #expect(second.standardOutput.contains("receipt of an earlier run: success"), "\(second.standardOutput)")
            #expect(try await shop.app(of: "demo-user").me.balance().total == 100)
            #expect(try await shop.house.books.purchases == 1)

            let third = try shop.run("resume")
            #expect(try await third.exit() == .code(0))
            #expect(third.standardOutput.isEmpty, "nothing is left: \(third.standardOutput)")
            try await shop.house.expectSound()
        }
    }

    @Test func `the example buys and spends`() async throws {
        try await Shop.open { shop in
            let run = try shop.run("buy")
            #expect(try await run.exit() == .code(0), "\(run.standardError)")
            #expect(run.standardOutput.contains("spent 30, worth 300 KRW: 70 coins left"), "\(run.standardOutput)")
            #expect(try await shop.app(of: "demo-user").me.balance().total == 70)
        }
    }
}

extension Shop {
    /// Starts the example program as a user's app.
    fileprivate func run(_ command: String) throws -> ChildProcess {
        try house.start(
            [command],
            [
                "LEDGERD_URL": relay.url.absoluteString, "SANDBOX_URL": gateway.url,
                "USER_TOKEN": Token.user("demo-user"), "SERVICE_TOKEN": Token.service(),
                "COIN_SHOP_RECEIPTS": receipts.path,
            ], program: "coin-shop")
    }
}
