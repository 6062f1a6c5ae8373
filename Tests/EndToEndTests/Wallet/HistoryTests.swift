import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// Random histories of all acts, through HTTP and PostgreSQL, end as in a naive wallet.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HistoryTests {
    private static let clients = Effort.count(4, upTo: 16)
    private static let actsOfEach = Effort.count(75, upTo: 313)

    @Test func `the acts of several clients agree with a naive wallet`() async throws {
        try await House.openNotified(["LEDGERD_REFUND_FEE_PERCENT": "10"]) { house, gateway, service in
            let clients = try await withThrowingTaskGroup(of: HistoryClient.self) { group in
                for number in 0..<Self.clients {
                    group.addTask {
                        var client = HistoryClient(number, gateway, service)
                        for _ in 0..<Self.actsOfEach { try await client.act() }
                        return client
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for client in clients {
                for (user, wallet) in client.wallets { try await Self.compare(user, wallet, house, service) }
            }
            let acts = clients.reduce(into: [:]) { $0.merge($1.acts, uniquingKeysWith: +) }
            // A history in which one of these never happened would prove little.
            let fewest = max(1, Self.clients * Self.actsOfEach / 250)
            #expect(HistoryClient.Act.allCases.allSatisfy { acts[$0, default: 0] >= fewest }, "\(acts)")
            func total(_ part: (NaiveWallet) -> Int64) -> Int64 {
                clients.reduce(0) { $0 + $1.wallets.values.reduce(0) { $0 + part($1) } }
            }
            #expect(try await house.balance(of: "coins:deferred-revenue") == total(\.deferred))
            #expect(try await house.balance(of: "revenue:coins") == total(\.revenue))
            #expect(try await house.balance(of: "revenue:refund-fees") == total(\.fees))
            #expect(try await house.balance(of: "gateway:receivable") == total(\.receivable))
            #expect(try await house.balance(of: "earnings:kim") == total { $0.earned["kim"] ?? 0 })
            try await house.expectSound()
        }
    }

    private static func compare(
        _ user: String, _ wallet: NaiveWallet, _ house: House, _ service: Service
    ) async throws {
        let balance = try await service.get("/v1/users/\(user)/balance", as: Token.service()).json
        #expect(HistoryClient.isSame(balance, wallet), "\(user): \(balance)")
        let lots = try await house.books.texts(
            """
            SELECT remaining || ' ' || held || ' ' || deferred FROM lot
            WHERE user_id = $1 OR user_id IN (SELECT former FROM user_alias WHERE user_id = $1) ORDER BY id
            """, [user])
        #expect(lots == wallet.lots.map { "\($0.remaining) \($0.held) \($0.won)" }, "\(user)")
        let newest = try await service.get("/v1/users/\(user)/statement?limit=1", as: Token.service()).json
        if let entry = newest["entries"].elements.first { #expect(entry["balance"] == balance["total"], "\(user)") }
    }
}

extension House {
    /// What an account holds, its stripes added up.
    func balance(of account: String) async throws -> Int64 {
        try await books.count(
            "SELECT coalesce(sum(balance), 0)::int8 FROM account WHERE code LIKE $1", [account + "/%"])
    }
}
