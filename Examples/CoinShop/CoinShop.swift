import Foundation
import LedgerClient

/// Buys coins as a user's app does, and spends some as a service does.
///
///     ./dev up --detach
///     set -a; . .ledgerd/dev.env; set +a
///     swift run coin-shop            # present receipts of earlier runs, buy, spend
///     swift run coin-shop resume     # only present receipts of earlier runs
///
/// You can kill it at any point and run it again: each payment is credited once.
@main
struct CoinShop {
    private let app: LedgerClient
    private let service: LedgerClient
    private let window: PaymentWindow
    private let queue: ReceiptQueue

    static func main() async throws {
        let shop = try CoinShop(ProcessInfo.processInfo.environment)
        let user = try await shop.app.me.balance().user
        try await shop.presentWhatIsLeft(of: user)
        if CommandLine.arguments.dropFirst().first == "resume" { return }
        try await shop.buy(as: user)
        try await shop.spend(30, of: user)
        try await shop.showStatement()
    }

    private init(_ environment: [String: String]) throws {
        func setting(_ name: String) throws -> String {
            guard let value = environment[name] else { throw Failure("\(name) is not set: source .ledgerd/dev.env") }
            return value
        }
        guard let url = URL(string: try setting("LEDGERD_URL")), let sandbox = URL(string: try setting("SANDBOX_URL"))
        else { throw Failure("LEDGERD_URL or SANDBOX_URL is not a URL") }
        let (userToken, serviceToken) = (try setting("USER_TOKEN"), try setting("SERVICE_TOKEN"))
        // A real app asks its own server for a new token when the old one has expired.
        app = LedgerClient(url: url) { _ in userToken }
        service = LedgerClient(url: url) { _ in serviceToken }
        window = PaymentWindow(url: sandbox)
        let receipts = environment["COIN_SHOP_RECEIPTS"] ?? NSTemporaryDirectory() + "coin-shop-receipts.json"
        queue = ReceiptQueue(file: URL(fileURLWithPath: receipts), client: app)
    }

    private func presentWhatIsLeft(of user: String) async throws {
        for presented in try await queue.drain(for: user) { say("receipt of an earlier run: \(presented.result)") }
    }

    private func buy(as user: String) async throws {
        guard let product = try await app.products().first else { throw Failure("no product is on sale") }
        let order = try await app.order(product.code, gateway: "portone-v1")
        say("ordered \(product.title) for \(order.amount) \(order.currency): \(order.merchantUID)")
        let receipt = try await window.pay(order)
        switch try await queue.present(receipt, for: user) {
        case .credited(let credited):
            let name = credited.purchase.map { "as purchase \($0.id)" } ?? "for a try in a sandbox"
            say("credited \(name): \(credited.balance.total) coins")
        case .waiting(let waiting): say("not credited yet: \(waiting.detail)")
        }
    }

    private func spend(_ coins: Int64, of user: String) async throws {
        do {
            let spent = try await service.spend(
                SpendRequest(coins: coins, reference: "song:1"), of: user, key: .random())
            say(
                "spent \(coins), worth \(spent.spend.amount) \(spent.spend.currency): \(spent.balance.total) coins left"
            )
        } catch let error as LedgerClientError where error.code == .insufficientCoins {
            say("too few coins: \(error.required ?? 0) required, \(error.available ?? 0) available")
        }
    }

    private func showStatement() async throws {
        for entry in try await app.me.statement().page().items {
            say("\(entry.effectiveAt.formatted(.iso8601))  \(entry.kind)  \(entry.coins)  → \(entry.balance)")
        }
    }

    private func say(_ line: String) { print(line) }
}

/// The reason why the example can't run.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
