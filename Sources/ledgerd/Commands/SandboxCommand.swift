import ArgumentParser
import Foundation
import Logging
import SandboxGateway

struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "Serve a stand-in for the payment gateway, for development and tests.",
        discussion: """
            It answers PortOne's V1 REST API and holds its payments in memory. POST /sandbox/payments makes a payment,
            PATCH /sandbox/payments/{imp_uid} changes it as the gateway's console would, PUT /sandbox/faults says what
            goes wrong next, GET /sandbox/journal lists what it was sent.
            """)

    @Option(help: "The address to listen on, host:port; loopback only.")
    var listen = "127.0.0.1:8081"
    @Option(name: .customLong("portone-v1-key"), help: "The key it takes.")
    var key = "sandbox-key"
    @Option(name: .customLong("portone-v1-secret"), help: "The secret it takes.")
    var secret = "sandbox-secret"
    @Option(name: .customLong("v1-webhook-url"), help: "Where it sends V1 webhooks (default: nowhere).")
    var webhookURL: String?

    func run() async throws {
        guard let address = ServeConfiguration.Listen(text: listen) else {
            throw ValidationError("--listen must be host:port, with a port from 0 to 65535.")
        }
        guard ["127.0.0.1", "::1", "localhost"].contains(address.host) else {
            throw ValidationError("--listen must be a loopback address: the sandbox believes everybody.")
        }
        LogFormat.text.bootstrap(level: .info)
        let logger = Logger(label: "sandbox")
        let gateway = SandboxGateway(
            configuration: SandboxGatewayConfiguration(
                host: address.host, port: address.port, v1Key: key, v1Secret: secret, v1WebhookURL: webhookURL),
            logger: logger)
        try await listening(on: address) {
            try await gateway.run { port in
                logger.info("serving", metadata: ["address": "\(address.host):\(port)"])
            }
        }
    }
}
