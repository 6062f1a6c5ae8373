import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct DisputeTests {
    @Test func `a dispute is opened, won, opened again and lost, and each step sends a webhook`() async throws {
        try await WebhookReceiver.run { sandbox, receiver in
            _ = try await sandbox.pay(#""amount": 1000, "version": "V2""#, merchantUID: "order-1")
            /// The change's problem code, if it is refused.
            func change(_ change: String) async throws -> String {
                try await sandbox.send(.patch, "/sandbox/payments/order-1", json: #"{"dispute": "\#(change)"}"#)["code"]
                    .text
            }
            #expect(try await change("win") == "conflict", "none is open")
            _ = try await change("open")
            #expect(try await change("open") == "conflict", "one is open")
            let open = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(open["status"].text == "PAID")
            #expect(open["disputes"].elements.map { $0["status"].text } == ["UNRESOLVED"])
            _ = try await change("win")
            let won = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(won["status"].text == "PAID")
            #expect(won["disputes"].elements.map { $0["status"].text } == ["RESOLVED"])
            _ = try await change("open")
            _ = try await change("lose")
            let lost = try await sandbox.callV2(.get, "/payments/order-1")
            #expect(lost["status"].text == "CANCELLED" && lost["disputes"] == .null, "as the contract has it")
            #expect(lost["cancellations"].elements.map { $0["trigger"].text } == ["CHARGEBACK"])
            #expect(try await change("open") == "conflict")
            var received: [String] = []
            for await message in receiver.messages.prefix(7) { received.append(message.json["type"].text) }
            #expect(
                received == [
                    "Transaction.Ready", "Transaction.Paid", "Transaction.DisputeCreated",
                    "Transaction.DisputeResolved",
                    "Transaction.DisputeCreated", "Transaction.DisputeResolved", "Transaction.Cancelled",
                ])
        }
    }

    @Test func `V1's payments have no disputes`() async throws {
        try await WebhookReceiver.run { sandbox, _ in
            _ = try await sandbox.pay(#""amount": 1000, "version": "V1""#, merchantUID: "order-1")
            let refused = try await sandbox.send(.patch, "/sandbox/payments/order-1", json: #"{"dispute": "open"}"#)
            #expect(refused["code"].text == "conflict")
        }
    }
}
