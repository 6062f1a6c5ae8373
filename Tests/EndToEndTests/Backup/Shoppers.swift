import Synchronization
import TestSupport

/// Clients that pay orders and are granted coins, one after the other each, until they are stopped.
///
/// Each has many orders made ahead: what it pays now was ordered a while ago.
final class Shoppers: Sendable {
    /// A payment at the gateway, and whose it is.
    struct Paid: Sendable {
        let user: String
        let payment: Payment
    }

    private struct State {
        var paid: [Paid] = []
        var acknowledged: Set<String> = []
        var isOver = false
    }

    private let gateway: Gateway
    private let service: Service
    private let state = Mutex(State())
    private let users: [(name: String, orders: [String])]

    /// Makes the orders.
    init(_ count: Int, ahead: Int, gateway: Gateway, service: Service) async throws {
        self.gateway = gateway
        self.service = service
        users = try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    var orders: [String] = []
                    for _ in 0..<ahead { orders.append(try await Self.order(by: "client-\(number)", at: service)) }
                    return (name: "client-\(number)", orders: orders)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// All that was paid, whatever the service answered.
    var paid: [Paid] { state.withLock(\.paid) }
    /// The keys of what the service answered as done: `imp_uid`s of purchases, idempotency keys of grants.
    var acknowledged: Set<String> { state.withLock(\.acknowledged) }

    func stop() { state.withLock { $0.isOver = true } }

    /// Lets them loose, until they are stopped or the service is gone.
    func run() async {
        await withDiscardingTaskGroup { group in
            for user in users {
                group.addTask { [self] in
                    var orders = user.orders
                    var number = 0
                    while !state.withLock(\.isOver) {
                        number += 1
                        try? await buy(orders.removeFirst(), by: user.name)
                        try? await grant("grant-\(user.name)-\(number)", to: user.name)
                        // Without a service there are no orders, and nobody left to buy from.
                        guard let order = try? await Self.order(by: user.name, at: service) else { return }
                        orders.append(order)
                    }
                }
            }
        }
    }

    /// Pays a new order, and presents the receipt.
    func buy(by user: String) async throws { try await buy(try await Self.order(by: user, at: service), by: user) }

    private func buy(_ order: String, by user: String) async throws {
        let payment = try await gateway.pay(order, 1000, .v1)
        state.withLock { $0.paid.append(Paid(user: user, payment: payment)) }
        let answer = try await service.present(payment, by: user)
        if answer.status == 201 { state.withLock { _ = $0.acknowledged.insert(payment.impUID) } }
    }

    private func grant(_ key: String, to user: String) async throws {
        let answer = try await service.post("/v1/users/\(user)/grants", #"{"coins": 1, "reason": "load"}"#, key: key)
        if answer.status == 201 { state.withLock { _ = $0.acknowledged.insert(key) } }
    }

    private static func order(by user: String, at service: Service) async throws -> String {
        let answer = try await service.order("coins_100", at: .v1, by: user)
        guard let order = answer.json["merchant_uid"].text else { throw DidNotHappen(description: "\(answer)") }
        return order
    }
}
