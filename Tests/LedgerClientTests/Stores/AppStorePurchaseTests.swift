import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

/// Purchases in the App Store, from the device to `finish()`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct AppStorePurchaseTests {
    /// A service that sells `coins_100` in the stand-in App Store, and a user's app that reaches it through a relay.
    private struct Counter {
        let house: House
        let store: AppStoreSandbox
        let service: Service
        let relay: Relay

        var file: URL { house.directory.appending(path: "receipts.json") }

        func app(of user: String = "ann") -> LedgerClient {
            LedgerClient(url: relay.url, retries: .never) { _ in Token.user(user) }
        }

        func queue(of user: String = "ann") -> ReceiptQueue { ReceiptQueue(file: file, client: app(of: user)) }
    }

    private func open(_ body: (Counter) async throws -> Void) async throws {
        try await House.openStore { house, store, service in
            try await body(
                Counter(house: house, store: store, service: service, relay: try Relay(to: service.port)))
        }
    }

    @Test func `each user has a name of their own in stores, always the same`() async throws {
        try await open { counter in
            let ann = try await counter.app().storeAccount()
            #expect(UUID(uuidString: ann.appAccountToken) != nil)
            #expect(try await counter.app().storeAccount() == ann)
            #expect(try await counter.app(of: "bob").storeAccount().appAccountToken != ann.appAccountToken)
        }
    }

    @Test func `a purchase is in the queue until it is credited, and may be finished only then`() async throws {
        try await open { counter in
            let bought = try await counter.store.buy()
            let receipt = ReceiptRequest.appStore(signedTransaction: bought.signed)
            counter.relay.next(.loseAnswer)
            let lost = await failure { try await counter.queue().present(receipt, for: "ann") }
            #expect(lost != nil && lost?.problem == nil)
            #expect(try await counter.queue().waiting(for: "ann") == [receipt])

            let presented = try await counter.queue().drain(for: "ann")
            let outcome = try #require(presented.first).result.get()
            #expect(outcome.mayFinish && outcome.credited?.balance.total == 100)
            #expect(try await counter.queue().waiting(for: "ann").isEmpty)

            // The app died before it finished it, so StoreKit hands it over again.
            let again = try await counter.queue().present(receipt, for: "ann")
            #expect(again.mayFinish && again == outcome)
        }
    }

    @Test func `a purchase that waits stays in the queue and may not be finished`() async throws {
        try await open { counter in
            let bought = try await counter.store.buy(product: "com.example.coins.500", notify: false)
            let queue = counter.queue()
            let receipt = ReceiptRequest.appStore(signedTransaction: bought.signed)
            let outcome = try await queue.present(receipt, for: "ann")
            #expect(outcome.waiting?.code == "unknown_store_product" && !outcome.mayFinish)
            #expect(try await queue.waiting(for: "ann") == [receipt])

            let named = try await counter.service.send(
                .put, "/v1/store-products/app-store/com.example.coins/com.example.coins.500", as: Token.finance(),
                headers: [("Content-Type", "application/json")], body: #"{"product": "coins_500"}"#)
            #expect(named.status == 200, "\(named)")
            let presented = try await queue.drain(for: "ann")
            #expect(try presented.map { try $0.result.get().mayFinish } == [true])
            #expect(try await counter.app().me.balance().total == 550)
        }
    }

    @Test func `what the store gave back is refused and leaves the queue`() async throws {
        try await open { counter in
            let bought = try await counter.store.buy()
            try await counter.store.change(bought, #""act": "refund", "notify": false"#)
            let queue = counter.queue()
            let refused = await failure {
                try await queue.present(.appStore(signedTransaction: bought.signed), for: "ann")
            }
            #expect(refused?.code == "payment_cancelled")
            #expect(try await queue.waiting(for: "ann").isEmpty)
        }
    }

    @Test func `a transaction that is signed again takes the place of the older text`() async throws {
        func receipt(_ payload: String, signature: String) -> ReceiptRequest {
            let text = Data(payload.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            return .appStore(signedTransaction: "e30.\(text.replacing("=", with: "")).\(signature)")
        }
        let directory = FileManager.default.temporaryDirectory.appending(path: "receipts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let nobody = LedgerClient(url: sure(URL(string: "http://127.0.0.1:9")), retries: .never) { _ in "token" }
        let queue = ReceiptQueue(file: directory.appending(path: "receipts.json"), client: nobody)

        // Of the three lengths that base64 pads differently, and with characters that base64url writes differently.
        let payloads = [#"{"transactionId":"1"}"#, #"{"transactionId":"22"}"#, #"{"transactionId":"3","n":"~~?>ÿ"}"#]
        for payload in payloads { try await queue.add(receipt(payload, signature: "old"), for: "ann") }
        for payload in payloads { try await queue.add(receipt(payload, signature: "new"), for: "ann") }
        #expect(try await queue.waiting(for: "ann") == payloads.map { receipt($0, signature: "new") })

        try await queue.add(receipt(payloads[0], signature: "his"), for: "bob")
        for unreadable in ["{}", "no JSON", ""] {
            for signature in ["a", "b"] { try await queue.add(receipt(unreadable, signature: signature), for: "ann") }
        }
        #expect(try await queue.waiting(for: "ann").count == 9, "what can't be read is not taken for another")
        #expect(try await queue.waiting(for: "bob").count == 1)
    }

    @Test func `the documented app finishes what is credited, and only that`() async throws {
        try await open { counter in
            try await Device.$current.withValue(Device()) {
                let shown = Log<Int64>()
                let told = Log<String>()
                func start(_ user: String = "ann") async -> CoinStore {
                    await CoinStore(
                        client: counter.app(of: user), queue: counter.queue(of: user), user: user,
                        show: { shown.add($0.total) }, tell: { told.add($0) })
                }
                let product = Product(id: "com.example.coins.100", store: counter.store)
                try await start().buy(product)
                #expect(shown.all == [100] && told.all == [] && Device.current.rest.isEmpty)

                counter.relay.each("POST /v1/receipts", .lose)
                try await start().buy(product)
                #expect(told.all == ["no_response"] && Device.current.rest.count == 1)
                counter.relay.next()

                // Another user logs in on the same device: the purchase names who bought it.
                await start("bob").follow()
                #expect(told.all.last == "receipt_belongs_to_another_user" && Device.current.rest.count == 1)

                await start().follow()
                #expect(shown.all == [100, 200] && Device.current.rest.isEmpty)
                #expect(try await counter.queue().waiting(for: "ann").isEmpty)
                try await counter.house.expectSound()
            }
        }
    }
}
