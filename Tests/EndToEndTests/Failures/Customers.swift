import Synchronization
import TestSupport

/// Customers who buy coins, look at their balance and spend, one request after the other each, until they are stopped.
///
/// None repeats a request. The first half keeps a connection for as long as the service lets it, the others make one for
/// each request.
final class Customers: Sendable {
    private struct State {
        var rounds: [String: Int64] = [:]
        var failures: [String] = []
        var isOver = false
    }

    private let gateway: Gateway
    private let everyone: [Customer]
    private let state = Mutex(State())

    /// Makes the connections that are kept, in the order of the customers.
    ///
    /// - Parameter port: where the service is reached.
    init(_ count: Int, at port: Int, gateway: Gateway) throws {
        self.gateway = gateway
        everyone = try (0..<count).map {
            try Customer(name: "customer-\($0)", port: port, keepsConnection: $0 < count / 2)
        }
    }

    /// How many rounds were answered as they should: each is one purchase, one look at the balance and one spend, and
    /// leaves one coin.
    var rounds: Int64 { state.withLock { $0.rounds.values.reduce(0, +) } }
    /// The requests that were not answered, or not as they should.
    var failures: [String] { state.withLock(\.failures) }

    func stop() { state.withLock { $0.isOver = true } }

    /// Lets them loose, until they are stopped; one that has a failure stops.
    func run() async {
        await withDiscardingTaskGroup { group in
            for customer in everyone { group.addTask { [self] in await shop(customer) } }
        }
    }

    private func shop(_ customer: Customer) async {
        var customer = customer
        while !state.withLock(\.isOver) {
            do {
                try await customer.shop(paying: try await gateway.pay())
                state.withLock { $0.rounds[customer.name, default: 0] += 1 }
            } catch {
                return state.withLock { $0.failures.append("\(customer.name): \(error)") }
            }
        }
    }

    /// Waits while they shop, until the condition holds.
    ///
    /// - Throws: the first failure of a customer.
    func wait(until what: String, _ holds: () async throws -> Bool) async throws {
        try await eventually(what) {
            if let failure = failures.first { throw DidNotHappen(description: failure) }
            return try await holds()
        }
    }

    /// Returns when each has shopped once more.
    func goOn() async throws {
        let before = state.withLock(\.rounds)
        try await wait(until: "each customer shops once more") {
            let now = state.withLock(\.rounds)
            return everyone.allSatisfy { now[$0.name, default: 0] > before[$0.name, default: 0] }
        }
    }
}

/// A customer with the connection that is kept.
private struct Customer {
    let name: String
    private let port: Int
    private let keepsConnection: Bool
    private var connection: RawClient?
    /// What is in the wallet.
    private var coins: Int64 = 0

    init(name: String, port: Int, keepsConnection: Bool) throws {
        self.name = name
        self.port = port
        self.keepsConnection = keepsConnection
        if keepsConnection { connection = try RawClient(port: port) }
    }

    /// Buys 100 coins, looks at the balance, and spends 99 of them.
    mutating func shop(paying payment: Payment) async throws {
        try await post("/v1/receipts", payment.receipt, as: Token.user(name))
        coins += 100
        let balance = try await send("GET", "/v1/me/balance", "Authorization: Bearer \(Token.user(name))\r\n")
        guard balance.status == 200, balance.json["total"].integer == coins else {
            throw DidNotHappen(description: "a balance of \(coins): \(balance)")
        }
        try await post(
            "/v1/users/\(name)/spends", #"{"coins": 99}"#, key: "spend-\(payment.impUID)", as: Token.service())
        coins -= 99
    }

    private mutating func post(_ path: String, _ body: String, key: String? = nil, as token: String) async throws {
        let keyField = key.map { "Idempotency-Key: \($0)\r\n" } ?? ""
        let fields = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        let answer = try await send("POST", path, "Authorization: Bearer \(token)\r\n" + keyField + fields, body)
        guard answer.status == 201 else { throw DidNotHappen(description: "201 of \(path): \(answer)") }
    }

    private mutating func send(
        _ method: String, _ path: String, _ fields: String, _ body: String = ""
    ) async throws -> Answer {
        let client = try connection ?? RawClient(port: port)
        connection = nil
        try await client.send("\(method) \(path) HTTP/1.1\r\nHost: ledgerd\r\n\(fields)\r\n\(body)")
        let answer = try await client.wholeAnswer()
        if keepsConnection && answer.headers["Connection"] != "close" { connection = client }
        return answer
    }
}
