import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

/// Purchases in Google Play, from the device to their consumption.
@Suite(.serialized, .timeLimit(.minutes(20))) struct GooglePlayPurchaseTests {
    @Test func `a purchase is in the queue until it is paid and credited, and ledgerd consumes it`() async throws {
        try await House.openGooglePlay { house, store, service in
            let relay = try Relay(to: service.port)
            let client = LedgerClient(url: relay.url, retries: .never) { _ in Token.user("ann") }
            /// As of the next run of the app.
            func queue() -> ReceiptQueue {
                ReceiptQueue(file: house.directory.appending(path: "receipts.json"), client: client)
            }
            let pending = try await store.buy(#", "state": "pending""#)
            let paidLater = ReceiptRequest.googlePlay(purchaseToken: pending.token)
            let waiting = try await queue().present(paidLater, for: "ann")
            #expect(waiting.waiting?.code == "awaiting_payment" && !waiting.mayFinish)

            let bought = try await store.buy()
            let receipt = ReceiptRequest.googlePlay(purchaseToken: bought.token)
            relay.next(.loseAnswer)
            let lost = await failure { try await queue().present(receipt, for: "ann") }
            #expect(lost != nil && lost?.problem == nil)
            #expect(try await queue().waiting(for: "ann") == [paidLater, receipt])

            try await store.change(pending, #""act": "pay""#)
            let presented = try await queue().drain(for: "ann")
            #expect(try presented.map { try $0.result.get().mayFinish } == [true, true])
            #expect(try await queue().waiting(for: "ann").isEmpty)
            let again = try await queue().present(receipt, for: "ann")
            #expect(again.mayFinish && again.credited?.balance.total == 200)
            for purchase in [pending, bought] {
                try await eventually("ledgerd has consumed it") { try await store.isConsumed(purchase) }
            }
            try await house.expectSound()
        }
    }
}
