import LedgerWire
import PGVerifier

extension PortOneV1Access {
    static let webhook: Operation? = .write(
        "takeWebhookV1", .post, "/webhooks/portone/v1", .anyone, .gateway,
        "Receive events of PortOne V1",
        """
        This path exists only if V1 is configured. Events are unsigned, and ledgerd never trusts their \
        content. Waiting events of one payment are stored as one.
        """,
        body: .init(
            media: [
                .init(
                    type: "application/json", schema: .named("WebhookV1"),
                    examples: [
                        .init(
                            "paid", "JSON",
                            [
                                "imp_uid": "imp_448280090638", "merchant_uid": "order-20261120-1",
                                "status": "paid",
                            ])
                    ]),
                .init(
                    type: "application/x-www-form-urlencoded", schema: .named("WebhookV1Form"),
                    examples: [
                        .init(
                            "paid", "form",
                            [
                                "imp_uid": "imp_448280090638", "merchant_uid": "order-20261120-1",
                                "status": "paid",
                            ])
                    ]),
            ]),
        answers: [
            .json(
                200, .named("WebhookAnswer"),
                "The event is stored. ledgerd asks the gateway for the payment later.")
        ],
        refusals: [.forbiddenSource, .tooManyWaitingEvents],
        traits: [.ignoresUnknown],
        meanings: [403: "The sender's address is not allowed."])

    /// V1's events are unsigned: only their sender's address can be checked.
    func webhookReader(_ shared: GatewayConfiguration, of gateway: (any PaymentGateway)?) throws -> WebhookReader? {
        let sources = WebhookSources(allowed: shared.webhookSources, proxies: shared.trustedProxies)
        return WebhookReader { request, context throws(Problem) in
            try sources.check(request, from: context.peerAddress) ?? "unknown"
        } read: { _, body throws(WebhookError) in
            try .portOneV1(body: body)
        }
    }

    func checkWebhooks(_ values: SettingValues) -> CheckResult? {
        let name = "webhooks V1"
        guard let sources = try? values[Settings.webhooks.sources], !sources.isEmpty else {
            return .warning(
                name, "unsigned webhooks are taken from any address",
                do: "set \(Settings.webhooks.sources.variable) to PortOne's addresses")
        }
        let proxies = try? values[Settings.http.trustedProxies]
        let isOnLoopback = (try? values[Settings.http.listen]).map { $0.host.hasPrefix("127.") || $0.host == "::1" }
        guard isOnLoopback != true || proxies?.isEmpty == false else {
            return .warning(
                name, "every webhook has the address of the proxy, and is refused",
                do: "set \(Settings.http.trustedProxies.variable) to the proxy's address, such as 127.0.0.1")
        }
        return .ok(name, "taken from \(sources.count) addresses or ranges")
    }
}
