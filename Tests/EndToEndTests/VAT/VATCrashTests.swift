import Synchronization
import TestSupport
import Testing

/// A service that books VAT is killed in the middle of sales, spends and refunds.
@Suite(.serialized, .timeLimit(.minutes(20))) struct VATCrashTests {
    @Test func `after a crash the doctor finds nothing, and repeats book nothing twice`() async throws {
        try await House.with { house in
            try await house.sellUnderEachRule()
            let gateway = try await house.startGateway()
            let service = try await house.serveProcess(at: gateway, VATServiceTests.settings)
            let shoppers = TaxedShoppers()
            async let load: Void = shoppers.run(clients: 24, gateway: gateway, service: service)
            try await eventually("the load is under way") { shoppers.answered(.refund) >= 40 }
            try await house.kill(service.process)
            shoppers.stop()
            await load
            #expect(shoppers.requests.contains { $0.answer == nil }, "the crash hit nobody")
            try await house.expectNothingFound()

            let successor = try await house.serve(at: gateway, VATServiceTests.settings)
            try await house.waitUntilDecided()
            for request in shoppers.requests {
                let again = try await request.send(to: successor)
                #expect([200, 201, 202].contains(again.status), "\(request.path): \(again)")
                guard let first = request.answer else { continue }
                switch request.act {
                case .sale: #expect(again.purchase["id"] == first.purchase["id"])
                case .spend: #expect(again.json == first.json, "\(request.path)")
                case .refund: #expect(again.json["refund"]["id"] == first.json["refund"]["id"])
                }
            }
            try await house.waitUntilDecided()
            let counts = try await [
                house.books.count("SELECT count(*) FROM purchase"),
                house.books.count("SELECT count(*) FROM journal_entry WHERE kind = 'spend'"),
                house.books.count("SELECT count(*) FROM refund"),
            ]
            let asked = TaxedShoppers.Act.allCases.map { act in Int64(shoppers.requests.count { $0.act == act }) }
            #expect(counts == asked)
            #expect(try await house.books.refunds.allSatisfy { $0 == "completed" })
            #expect(try await house.books.count("SELECT count(*) FROM refund WHERE fee_vat > 0") == asked[2])
            try await house.expectNothingFound()
        }
    }
}

/// Clients that buy under both rules of taxable coins, spend, and have a part refunded with a fee.
private final class TaxedShoppers: Sendable {
    enum Act: CaseIterable {
        case sale, spend, refund
    }

    struct Request: Sendable {
        let act: Act
        let path: String
        let body: String
        /// The idempotency key; nil: a receipt, which the user presents.
        let key: String?
        let user: String
        /// Nil when there was none.
        var answer: Answer?

        func send(to service: Service) async throws -> Answer {
            guard let key else { return try await service.post(path, body, as: Token.user(user)) }
            return try await service.post(path, body, key: key, as: Token.refunds())
        }
    }

    private let isOver = Mutex(false)
    private let made = Mutex<[Request]>([])

    var requests: [Request] { made.withLock { $0 } }

    func answered(_ act: Act) -> Int { requests.count { $0.act == act && $0.answer != nil } }

    func stop() { isOver.withLock { $0 = true } }

    /// Shops until the service no longer answers.
    func run(clients: Int, gateway: Gateway, service: Service) async {
        await withDiscardingTaskGroup { group in
            for client in 0..<clients {
                group.addTask { [self] in
                    var number = 0
                    while !isOver.withLock({ $0 }), await shop("client-\(client)", number, gateway, service) {
                        number += 1
                    }
                }
            }
        }
    }

    /// - Returns: whether the service answered each request.
    private func shop(_ user: String, _ number: Int, _ gateway: Gateway, _ service: Service) async -> Bool {
        guard let payment = try? await gateway.pay(number % 2 == 0 ? "2000" : "4000"),
            let bought = await send(.sale, "/v1/receipts", payment.receipt, user, service),
            let purchase = bought.purchase["id"].integer,
            await send(
                .spend, "/v1/users/\(user)/spends", #"{"coins": 37}"#, key: "s-\(number)-\(user)", user, service) != nil
        else { return false }
        return await send(
            .refund, "/v1/purchases/\(purchase)/refunds", #"{"reason": "too many", "coins": 23}"#,
            key: "r-\(number)-\(user)", user, service) != nil
    }

    private func send(
        _ act: Act, _ path: String, _ body: String, key: String? = nil, _ user: String, _ service: Service
    ) async -> Answer? {
        var request = Request(act: act, path: path, body: body, key: key, user: user)
        request.answer = try? await request.send(to: service)
        made.withLock { $0.append(request) }
        return request.answer
    }
}
