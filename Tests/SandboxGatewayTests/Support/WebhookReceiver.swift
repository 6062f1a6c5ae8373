import SandboxTestSupport

@testable import SandboxGateway

extension WebhookReceiver {
    /// Runs `body` with a receiver and a gateway that sends to it.
    static func run(
        _ change: @escaping @Sendable (inout SandboxGatewayConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (SandboxUnderTest, WebhookReceiver) async throws -> Void
    ) async throws {
        try await serve { receiver, url in
            try await SandboxUnderTest.run(
                .live,
                {
                    $0.v1WebhookURL = url + "/v1"
                    $0.v2WebhookURL = url + "/v2"
                    $0.v2WebhookSecrets = [Self.secret]
                    change(&$0)
                }
            ) { sandbox in try await body(sandbox, receiver) }
        }
    }

    static let secret = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="
}
