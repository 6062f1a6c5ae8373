public import ArgumentParser
import Foundation
import Logging
public import SandboxGateway

struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "Serve a stand-in for the payment gateway, for development and tests.",
        discussion: """
            It answers PortOne's V1 and V2 REST APIs and holds its payments in memory.

            In a browser, / lists the payments and /checkout is the payment window.

            For tests, POST /sandbox/payments makes a payment, and PATCH /sandbox/payments/{imp_uid} changes it as the \
            gateway's console would. PUT /sandbox/faults says what goes wrong next, /sandbox/webhooks shows and spoils \
            webhooks, PUT /sandbox/clock puts its clock forward, and GET /sandbox/journal lists what it was sent. \
            docs/sandbox.md tells the rest.
            """)

    @Option(help: "The address to listen on, host:port; loopback only, unless --allow-remote is given.")
    var listen = "127.0.0.1:8081"
    @Flag(help: "Listen on any address: for a container whose port only this machine can reach.")
    var allowRemote = false
    @OptionGroup(title: "V1") var v1: V1Options
    @OptionGroup(title: "V2") var v2: V2Options
    @Option(help: "How many times faster than in the world retries of webhooks come, from 1 to 1000000.")
    var timeScale = 1.0

    struct V1Options: ParsableArguments {
        @Option(name: .customLong("portone-v1-key"), help: "The key it takes.")
        var key = "sandbox-key"
        @Option(name: .customLong("portone-v1-secret"), help: "The secret it takes.")
        var secret = "sandbox-secret"
        @Option(name: .customLong("v1-webhook-url"), help: "Where it sends V1 webhooks, http (default: nowhere).")
        var webhookURL: String?
        @Option(name: .customLong("v1-webhook-encoding"), help: "How it writes them.")
        var webhookEncoding = SandboxGatewayConfiguration.WebhookEncoding.json
        @Flag(name: .customLong("v1-webhook-retries"), help: "Try them five times more, a minute apart.")
        var webhookRetries = false
    }

    struct V2Options: ParsableArguments {
        @Option(name: .customLong("portone-v2-secret"), help: "The API secret it takes.")
        var secret = "sandbox-v2-secret"
        @Option(name: .customLong("portone-v2-store-id"), help: "The store that the secret belongs to.")
        var storeID = "store-sandbox"
        @Option(name: .customLong("v2-other-store"), help: "Another store the secret may act for (repeatable).")
        var otherStores: [String] = []
        @Option(name: .customLong("v2-webhook-url"), help: "Where it sends V2 webhooks, http (default: nowhere).")
        var webhookURL: String?
        @Option(
            name: .customLong("v2-webhook-secret"),
            help: ArgumentHelp(
                "What it signs them with, whsec_ and base64; twice while a secret is replaced.",
                discussion: "Environment: LEDGERD_PORTONE_V2_WEBHOOK_SECRET, as `ledgerd serve` takes it."))
        var webhookSecrets: [String] = []
        @Option(name: .customLong("v2-webhook-version"), help: "How it writes them.")
        var webhookVersion = SandboxGatewayConfiguration.WebhookVersion.april2024
    }

    func validate() throws {
        guard (1...1_000_000).contains(timeScale) else {
            throw ValidationError("--time-scale must be from 1 to 1000000.")
        }
    }

    func run() async throws {
        guard let address = ServeConfiguration.Listen(text: listen) else {
            throw ValidationError("--listen must be host:port, with a port from 0 to 65535.")
        }
        guard allowRemote || ["127.0.0.1", "::1", "localhost"].contains(address.host) else {
            throw ValidationError(
                "--listen must be a loopback address: the sandbox believes everybody. In a container whose port only "
                    + "this machine can reach, give --allow-remote.")
        }
        LogFormat.text.bootstrap(level: .info)
        let logger = Logger(label: "sandbox")
        let gateway = SandboxGateway(configuration: try settings(at: address), logger: logger)
        try await listening(on: address) {
            try await gateway.run { port in
                logger.info("serving", metadata: ["address": "\(address.host):\(port)"])
            }
        }
    }

    /// The flag's; else the setting's, where other users of the machine don't see them; else the sandbox's own.
    ///
    /// - Throws: ``ConfigurationError`` for a setting that `ledgerd serve` would not take either.
    private func webhookSecrets() throws -> [String] {
        if !v2.webhookSecrets.isEmpty { return v2.webhookSecrets }
        return try SettingValues()[Settings.webhooks.v2Secrets]
            ?? [SandboxGatewayConfiguration.defaultWebhookSecret]
    }

    private func settings(at address: ServeConfiguration.Listen) throws -> SandboxGatewayConfiguration {
        SandboxGatewayConfiguration(
            host: address.host, port: address.port, v1Key: v1.key, v1Secret: v1.secret, v1WebhookURL: v1.webhookURL,
            v1WebhookEncoding: v1.webhookEncoding, v1WebhookRetries: v1.webhookRetries, v2Secret: v2.secret,
            storeID: v2.storeID, otherStoreIDs: Set(v2.otherStores), v2WebhookURL: v2.webhookURL,
            v2WebhookSecrets: try webhookSecrets(), v2WebhookVersion: v2.webhookVersion, timeScale: timeScale)
    }
}

extension SandboxGatewayConfiguration.WebhookEncoding: ExpressibleByArgument {}

extension SandboxGatewayConfiguration.WebhookVersion: ExpressibleByArgument {}
