import ArgumentParser
import Foundation
import Hummingbird
import LedgerClient
import Logging

/// Serves a small coin shop in a browser, as a real shop's server does: it knows its users and uses ledgerd's API.
///
/// `./dev up` starts it. Anybody signs in as anybody, so it listens only on loopback, but in a container
/// whose port only this machine can reach.
@main
struct DemoShopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-shop", abstract: "Serve a demo coin shop in a browser, for development.",
        discussion: """
            Environment: LEDGERD_URL, SANDBOX_URL (the payment window), SERVICE_TOKEN (to spend coins) and JWT_SECRET \
            (to sign the tokens of its users).
            """)

    @Option(help: "The port to listen on, at 127.0.0.1.") var port = 8083
    @Flag(help: "Listen on all addresses, for a container whose port only this machine can reach.")
    var allowRemote = false

    func run() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "demo-shop")
        let address = "http://127.0.0.1:\(port)"
        let shop = await Shop(
            ledgerd: try url("LEDGERD_URL"), users: UserTokens(secret: try setting("JWT_SECRET")),
            serviceToken: try setting("SERVICE_TOKEN"))
        let window = PaymentWindow(gateway: try url("SANDBOX_URL").absoluteString, shop: address)
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: OwnFormsOnly())
        router.add(middleware: ProblemPages(logger: logger))
        ShopRoutes(shop: shop, window: window).add(to: router)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(allowRemote ? "0.0.0.0" : "127.0.0.1", port: port), serverName: "demo-shop"),
            onServerRunning: { _ in logger.info("serving", metadata: ["url": "\(address)"]) }, logger: logger)
        try await application.runService()
    }

    private func url(_ name: String) throws -> URL {
        guard let url = URL(string: try setting(name)) else { throw ValidationError("\(name) is not a URL.") }
        return url
    }

    private func setting(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
            throw ValidationError("\(name) is not set: source .ledgerd/dev.env.")
        }
        return value
    }
}
