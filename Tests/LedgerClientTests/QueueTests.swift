import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct QueueTests {
    private let receipt = ReceiptRequest.v1(impUID: "imp_1", merchantUID: "m-1")

    /// Lends a queue's file, and a client that never answers.
    private func withFile(_ body: (URL, LedgerClient) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "receipts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let nobody = LedgerClient(url: sure(URL(string: "http://127.0.0.1:9")), retries: .never) { _ in "token" }
        try await body(directory.appending(path: "receipts.json"), nobody)
    }

    @Test func `a receipt stays in the queue until the service has decided about it`() async throws {
        try await Shop.open { shop in
            try await `a receipt is only ever presented for the user who paid`(shop.anew())
            try await `a receipt that is refused is removed, and its error reported`(shop.anew())
            try await `a payment that the gateway does not show yet stays in the queue`(shop.anew())
            try await `what says nothing of the receipt leaves it in the queue`(shop.anew())
        }
    }

    @Test func `what was written down is there for the next run, once`() async throws {
        try await withFile { file, client in
            let queue = ReceiptQueue(file: file, client: client)
            try await queue.add(receipt, for: "ann")
            try await queue.add(.v2(paymentID: "p-2"), for: "ann")
            let ofPlay = ["token-1", "token-2"].map { ReceiptRequest.googlePlay(purchaseToken: $0) }
            for receipt in ofPlay + [receipt] + ofPlay { try await queue.add(receipt, for: "ann") }
            let next = ReceiptQueue(file: file, client: client)
            #expect(try await next.waiting(for: "ann") == [receipt, .v2(paymentID: "p-2")] + ofPlay)
        }
    }

    private func `a receipt is only ever presented for the user who paid`(_ shop: Shop) async throws {
        let payment = try await shop.gateway.pay()
        let queue = ReceiptQueue(file: shop.receipts, client: shop.app(of: "bob"))
        try await queue.add(payment.request, for: "ann")
        #expect(try await queue.drain(for: "bob").isEmpty)
        #expect(try await shop.house.books.purchases == 0)
        let own = ReceiptQueue(file: shop.receipts, client: shop.app(of: "ann"))
        #expect(try await own.drain(for: "ann").count == 1)
        #expect(try await shop.app(of: "ann").me.balance().total == 100)
    }

    private func `a receipt that is refused is removed, and its error reported`(_ shop: Shop) async throws {
        let queue = ReceiptQueue(file: shop.receipts, client: shop.app())
        let cheap = try await shop.gateway.pay("1")
        let error = await failure { try await queue.present(cheap.request, for: "ann") }
        #expect(error?.code == "amount_mismatch")
        #expect(try await queue.waiting(for: "ann").isEmpty)
    }

    private func `a payment that the gateway does not show yet stays in the queue`(_ shop: Shop) async throws {
        let payment = Payment.unmade()
        let queue = ReceiptQueue(file: shop.receipts, client: shop.app(of: "cat"))
        let error = await failure { try await queue.present(payment.request, for: "cat") }
        #expect(error?.code == "payment_not_found")
        try await shop.gateway.pay(as: payment)
        let next = ReceiptQueue(file: shop.receipts, client: shop.app(of: "cat"))
        #expect(try await next.drain(for: "cat").count == 1)
        #expect(try await shop.app(of: "cat").me.balance().total == 100)
        #expect(try await next.waiting(for: "cat").isEmpty)
    }

    private func `what says nothing of the receipt leaves it in the queue`(_ shop: Shop) async throws {
        let payment = try await shop.gateway.pay()
        let loggedOut = ReceiptQueue(file: shop.receipts, client: shop.client("nonsense"))
        let error = await failure { try await loggedOut.present(payment.request, for: "ann") }
        #expect(error?.code == "token_invalid")
        #expect(try await loggedOut.waiting(for: "ann") == [payment.request])

        shop.relay.next(.lose, .lose, .lose, .lose)
        let cutOff = ReceiptQueue(file: shop.receipts, client: shop.app(retries: .never))
        try await cutOff.add(.v1(impUID: "imp_2", merchantUID: "m-2"), for: "ann")
        let presented = try await cutOff.drain(for: "ann")
        #expect(presented.count == 1, "one unanswered is enough")
        #expect(try await cutOff.waiting(for: "ann").count == 2)
    }

    @Test(arguments: ["", "{", "[1]", #"{"version": 2, "receipts": []}"#, "\u{0}\u{1}"])
    func `a file that can't be understood is put aside`(content: String) async throws {
        try await withFile { file, client in
            try Data(content.utf8).write(to: file)
            let queue = ReceiptQueue(file: file, client: client)
            #expect(try await queue.waiting(for: "ann").isEmpty)
            let aside = await queue.setAside
            #expect(try aside.map { try Data(contentsOf: $0) } == [Data(content.utf8)])
            try await queue.add(receipt, for: "ann")
            #expect(try await ReceiptQueue(file: file, client: client).waiting(for: "ann") == [receipt])
        }
    }

    @Test func `a file that can't be read now is left alone`() async throws {
        try await withFile { file, client in
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            let queue = ReceiptQueue(file: file, client: client)
            await #expect(throws: CocoaError.self) { try await queue.add(receipt, for: "ann") }
            #expect(await queue.setAside.isEmpty)
            try FileManager.default.removeItem(at: file)
            try await queue.add(receipt, for: "ann")
            #expect(try await queue.waiting(for: "ann") == [receipt])
        }
    }

    @Test func `a half-written new file harms nothing`() async throws {
        try await withFile { file, client in
            try await ReceiptQueue(file: file, client: client).add(receipt, for: "ann")
            try Data("{".utf8).write(to: file.appendingPathExtension("new"))
            let queue = ReceiptQueue(file: file, client: client)
            #expect(try await queue.waiting(for: "ann") == [receipt])
            try await queue.add(.v2(paymentID: "p-2"), for: "ann")
            #expect(try await queue.waiting(for: "ann").count == 2)
        }
    }
}
