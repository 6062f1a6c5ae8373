extension ServiceUnderLoad {
    /// The read requests: name, path, and whether they need a user.
    static let reads = [
        ("constant", "/health/live", false), ("balance", "/v1/me/balance", true), ("products", "/v1/products", false),
        ("purchases", "/v1/me/purchases?limit=20", true), ("statement", "/v1/me/statement?limit=20", true),
    ]

    /// Reads a path with many clients, each request as a different user.
    func read(_ path: String, asUsers: Bool, clients: Int, _ scale: Scale) async throws -> Clients.Result {
        let requests = asUsers ? tokens(10_000).map { HTTPRequest("GET", path, token: $0) } : [HTTPRequest("GET", path)]
        return try await Clients(port: ledgerd.port, count: clients).run(scale, against: ledgerd.process.pid) {
            requests[($1 &* 7919) % requests.count]
        }
    }

    /// Presents receipts of new payments, each client as its own user.
    ///
    /// - Parameter name: makes the payments different from those of other calls.
    /// - Returns: the result, the gateway calls per receipt, and the problems.
    func presentReceipts(
        clients: Int, delay: Int, named name: String, _ scale: Scale
    ) async throws -> (result: Clients.Result, calls: Double, problems: [String]) {
        // The sandbox stores no more payments.
        let payments = min(90_000, Int(15_000 * (scale.seconds + scale.warmUp)))
        try delayGateway(by: 0)
        try pay(payments, named: name)
        try delayGateway(by: delay)
        let tokens = (0..<clients).map { Self.token("buyer-\($0)", scope: "user") }
        let before = try gatewayCalls()
        let (result, problems) = try await Conservation.observing(books) {
            let result = try await Clients(port: ledgerd.port, count: clients).run(
                scale, against: ledgerd.process.pid
            ) { client, number in
                number < payments ? Self.receipt(number + 1, of: name, token: tokens[client]) : nil
            }
            return (result, Acknowledged(purchases: result.done.map { "\(name)-\($0 + 1)" }))
        }
        // The metrics may be a second old.
        if scale.seconds >= 1 { try await Task.sleep(for: .milliseconds(1_100)) }
        let calls = (try gatewayCalls() - before) / Double(max(1, result.done.count))
        return (result, calls, result.problems + problems)
    }

    static func receipt(_ number: Int, of name: String, token: String) -> HTTPRequest {
        HTTPRequest(
            "POST", "/v1/receipts", token: token,
            body: #"{"imp_uid": "imp_\#(name)-\#(number)", "merchant_uid": "\#(name)-\#(number)"}"#, expecting: 201)
    }

    /// A typical mix: of twenty requests, twelve reads, five spends and three receipts.
    func mixed(clients: Int, named name: String, _ scale: Scale) async throws -> (Clients.Result, [String]) {
        let payments = min(90_000, Int(5_000 * (scale.seconds + scale.warmUp)))
        try pay(payments, named: name)
        let tokens = tokens(10_000)
        let reads = tokens.map { HTTPRequest("GET", "/v1/me/balance", token: $0) }
        let spender = Self.token("bench", scope: "service")
        let buyers = (0..<clients).map { Self.token("buyer-\($0)", scope: "user") }
        let users = users
        let (result, problems) = try await Conservation.observing(books) {
            let result = try await Clients(port: ledgerd.port, count: clients).run(
                scale, against: ledgerd.process.pid
            ) { client, number in
                switch Mixed(number) {
                case .read: reads[(number &* 7919) % reads.count]
                case .spend:
                    HTTPRequest(
                        "POST", "/v1/users/user-\((number &* 7919) % users)/spends", token: spender,
                        key: "\(name)-\(number)", body: #"{"coins": 1}"#, expecting: 201)
                case .receipt:
                    number / 20 * 3 < payments - 3
                        ? Self.receipt(Mixed.receipt(number) + 1, of: name, token: buyers[client]) : nil
                }
            }
            let purchases = result.done.filter { Mixed($0) == .receipt }
            let spends = result.done.filter { Mixed($0) == .spend }
            return (
                result,
                Acknowledged(
                    purchases: purchases.map { "\(name)-\(Mixed.receipt($0) + 1)" },
                    keys: spends.map { "\(name)-\($0)" })
            )
        }
        return (result, result.problems + problems)
    }
}

/// The kind of a request in the mix, by its number.
private enum Mixed {
    case read, spend, receipt

    private static let twenty: [Mixed] = [
        .read, .spend, .read, .receipt, .read, .read, .spend, .read, .read, .spend, .receipt, .read, .read, .spend,
        .read,
        .read, .receipt, .read, .spend, .read,
    ]

    init(_ number: Int) { self = Self.twenty[number % 20] }

    /// The number of the receipt, from 0.
    static func receipt(_ number: Int) -> Int {
        number / 20 * 3 + twenty[..<(number % 20)].count { $0 == .receipt }
    }
}
