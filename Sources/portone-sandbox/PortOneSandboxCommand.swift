import ArgumentParser
import Foundation
import Logging
import NIOCore
import SandboxGateway
import SandboxStore

/// The program `portone-sandbox`: reads options and runs ``SandboxGateway``.
@main
struct PortOneSandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portone-sandbox",
        abstract: "Run a simulated payment gateway for development and tests.",
        discussion: """
            The sandbox gateway serves PortOne's V1 and V2 REST APIs. It keeps payments in memory, and with --data in
            a file too, so that they outlast a restart.

            With --stores-listen it also serves a simulated App Store and Google Play, which keep purchases in memory
            only.

            In a browser, / lists the payments and /checkout is the payment window.

            Routes for tests (see docs/sandbox.md):
            POST /sandbox/payments - create a payment
            PATCH /sandbox/payments/{imp_uid} - change a payment, as the gateway's console does
            PUT /sandbox/faults - make the next requests fail
            GET /sandbox/webhooks - list webhooks; PUT /sandbox/webhooks/plan falsifies them
            PUT /sandbox/clock - advance the clock
            GET /sandbox/journal - list the requests that the gateway received
            """)

    @Option(help: "The address to listen on, host:port; a loopback address, unless --allow-remote is given.")
    var listen = "127.0.0.1:8081"
    @Flag(help: "Allow any listen address, for a container whose port only this machine can reach.")
    var allowRemote = false
    @OptionGroup(title: "V1") var v1: V1Options
    @OptionGroup(title: "V2") var v2: V2Options
    @OptionGroup(title: "Stores") var stores: StoreOptions
    @Option(
        help: ArgumentHelp(
            "The file that keeps payments over a restart (default: none, they are in memory only).",
            discussion: "Environment: PORTONE_SANDBOX_DATA."))
    var data: String?
    @Option(help: "The factor by which pauses between webhook retries are shortened, from 1 to 1000000.")
    var timeScale = 1.0

    struct V1Options: ParsableArguments {
        @Option(name: .customLong("portone-v1-key"), help: "The API key that clients must send.")
        var key = "sandbox-key"
        @Option(name: .customLong("portone-v1-secret"), help: "The API secret that clients must send.")
        var secret = "sandbox-secret"
        @Option(name: .customLong("v1-webhook-url"), help: "The http URL for V1 webhooks (default: none).")
        var webhookURL: String?
        @Option(name: .customLong("v1-webhook-encoding"), help: "The format of V1 webhooks.")
        var webhookEncoding = SandboxGatewayConfiguration.WebhookEncoding.json
        @Flag(name: .customLong("v1-webhook-retries"), help: "Retry failed V1 webhooks five times, a minute apart.")
        var webhookRetries = false
    }

    struct V2Options: ParsableArguments {
        @Option(name: .customLong("portone-v2-secret"), help: "The API secret that clients must send.")
        var secret = "sandbox-v2-secret"
        @Option(name: .customLong("portone-v2-store-id"), help: "The store that the secret belongs to.")
        var storeID = "store-sandbox"
        @Option(name: .customLong("v2-other-store"), help: "Another store that the secret has access to (repeatable).")
        var otherStores: [String] = []
        @Option(name: .customLong("v2-webhook-url"), help: "The http URL for V2 webhooks (default: none).")
        var webhookURL: String?
        @Option(
            name: .customLong("v2-webhook-secret"),
            help: ArgumentHelp(
                "The secret that signs V2 webhooks, whsec_ and base64; give two while you replace a secret.",
                discussion: "Environment: LEDGERD_PORTONE_V2_WEBHOOK_SECRET, in the format of `ledgerd serve`."))
        var webhookSecrets: [String] = []
        @Option(name: .customLong("v2-webhook-version"), help: "The format of V2 webhooks.")
        var webhookVersion = SandboxGatewayConfiguration.WebhookVersion.april2024
    }

    struct StoreOptions: ParsableArguments {
        @Option(name: .customLong("stores-listen"), help: "The address of the simulated stores (default: none).")
        var listen: String?
        @Option(name: .customLong("apple-bundle-id"), help: "The bundle ID of the app.")
        var bundleID = "com.example.coins"
        @Option(name: .customLong("apple-notification-url"), help: "The http URL for notifications (default: none).")
        var notificationURL: String?
        @Option(
            name: .customLong("apple-sandbox-notification-url"),
            help: "The http URL for notifications of the App Store's sandbox (default: none).")
        var sandboxNotificationURL: String?
        @Option(name: .customLong("google-package"), help: "The package name of the app.")
        var packageName = "com.example.coins"
        @Option(name: .customLong("google-push-url"), help: "The http URL for Google Play's messages (default: none).")
        var pushURL: String?
    }

    func validate() throws {
        guard (1...1_000_000).contains(timeScale) else {
            throw ValidationError("--time-scale must be from 1 to 1000000.")
        }
    }

    func run() async throws {
        let address = try address(listen, of: "--listen")
        let storeAddress = try stores.listen.map { try self.address($0, of: "--stores-listen") }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "portone-sandbox")
        let gateway = SandboxGateway(configuration: settings(at: address), logger: logger)
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await serve(at: address) {
                    try await gateway.run { port in logger.info("serving address=\(address.host):\(port)") }
                }
            }
            if let storeAddress {
                let store = SandboxStore(configuration: storeSettings(at: storeAddress), logger: logger)
                group.addTask {
                    try await serve(at: storeAddress) {
                        try await store.run { port in
                            logger.info("serving stores_address=\(storeAddress.host):\(port)")
                        }
                    }
                }
            }
            // Each serves until the process ends, so the first that returns has failed.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func address(_ text: String, of option: String) throws -> Address {
        guard let address = Address(text) else {
            throw ValidationError("\(option) must be host:port, with a port from 0 to 65535.")
        }
        guard allowRemote || address.isLoopback else {
            throw ValidationError(
                "\(option) must be a loopback address, because the sandbox trusts every client. In a container whose "
                    + "port only this machine can reach, give --allow-remote.")
        }
        return address
    }

    private func storeSettings(at address: Address) -> SandboxStoreConfiguration {
        SandboxStoreConfiguration(
            host: address.host, port: address.port, timeScale: timeScale,
            apple: .init(
                bundleID: stores.bundleID, notificationURL: stores.notificationURL,
                sandboxNotificationURL: stores.sandboxNotificationURL),
            google: .init(packageName: stores.packageName, pushURL: stores.pushURL))
    }

    private var dataFile: String? {
        let path = data ?? ProcessInfo.processInfo.environment["PORTONE_SANDBOX_DATA"] ?? ""
        return path.isEmpty ? nil : path
    }

    /// From the flag, or the environment variable (hidden from other users of the machine), or the default.
    private var webhookSecrets: [String] {
        if !v2.webhookSecrets.isEmpty { return v2.webhookSecrets }
        let variable = ProcessInfo.processInfo.environment["LEDGERD_PORTONE_V2_WEBHOOK_SECRET"] ?? ""
        let secrets = variable.split(separator: ",").map(String.init)
        return secrets.isEmpty ? [SandboxGatewayConfiguration.defaultWebhookSecret] : secrets
    }

    private func settings(at address: Address) -> SandboxGatewayConfiguration {
        SandboxGatewayConfiguration(
            host: address.host, port: address.port, v1Key: v1.key, v1Secret: v1.secret, v1WebhookURL: v1.webhookURL,
            v1WebhookEncoding: v1.webhookEncoding, v1WebhookRetries: v1.webhookRetries, v2Secret: v2.secret,
            storeID: v2.storeID, otherStoreIDs: Set(v2.otherStores), v2WebhookURL: v2.webhookURL,
            v2WebhookSecrets: webhookSecrets, v2WebhookVersion: v2.webhookVersion, timeScale: timeScale,
            dataFile: dataFile)
    }
}

/// Runs `body`, and says what is wrong with an address that can't be listened on.
private func serve(at address: Address, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as IOError {
        throw CantListen(address: address, code: error.errnoCode)
    }
}

/// The address to listen on.
private struct Address {
    let host: String
    let port: Int

    /// Parses `host:port`; an IPv6 host has brackets.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[^:\[\]]+)):(?<port>[0-9]{1,5})/),
            let host = match.v6 ?? match.name, let port = UInt16(match.port)
        else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }

    var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }
}

/// The error of an address that can't be listened on.
private struct CantListen: Error, CustomStringConvertible {
    let address: Address
    let code: CInt

    var description: String { "listen: \(address.host):\(address.port): \(String(cString: strerror(code)))" }
}

extension SandboxGatewayConfiguration.WebhookEncoding: ExpressibleByArgument {}

extension SandboxGatewayConfiguration.WebhookVersion: ExpressibleByArgument {}
