import Logging
import OutboundHTTP
import PGVerifier

extension Settings {
    static let portOneV2 = PortOneV2Settings()
}

/// The settings of PortOne V2.
struct PortOneV2Settings: Sendable {
    let url = Setting(
        "portone_v2_url", "The URL of PortOne's V2 REST API.", rule: GatewayURL.rule, default: "https://api.portone.io",
        parse: GatewayURL.parse)
    let secret = Setting(
        "portone_v2_secret", "The API secret of PortOne V2.", rule: SecretTexts.plainRule, unset: "V2 is off",
        isSecret: true, parse: SecretTexts.plain)
    let storeID = Setting.text(
        "portone_v2_store_id", "The PortOne V2 store whose payments are accepted. Required with portone_v2_secret.",
        unset: "V2 is off")
    let webhookSecrets = Setting(
        "portone_v2_webhook_secret", "The secret that PortOne V2 signs its webhooks with.",
        rule: "a base64 secret of at least 24 bytes, or two separated by a comma while one replaces the other; "
            + "not empty, because anybody could sign with an empty secret",
        unset: "V2's webhooks are refused", isSecret: true, takesEmpty: true, parse: { WebhookSecrets.parse($0) })
}

/// The access to PortOne's V2 API.
struct PortOneV2Access: GatewayAccess {
    static let title = "PortOne V2"
    static let shortTitle = "V2"

    static var settings: [any SettingDeclaration] {
        [Settings.portOneV2.url, Settings.portOneV2.secret, Settings.portOneV2.storeID]
    }

    static var webhookSettings: [any SettingDeclaration] { [Settings.portOneV2.webhookSecrets] }
    static var required: [any SettingDeclaration] { [Settings.portOneV2.secret, Settings.portOneV2.storeID] }
    static var companysURL: String? { Settings.portOneV2.url.absent }

    let url: String
    let secret: String
    /// The store whose payments are accepted.
    let storeID: String
    /// The secrets of webhook signatures, two while one replaces the other; without one, webhooks are refused.
    let webhookSecrets: [String]

    var accepted: String { "accepted for the store \(storeID)" }

    /// Nil if V2 is off: it has neither a secret nor a store id.
    ///
    /// One without the other is an error.
    init?(_ values: SettingValues) throws(ConfigurationError) {
        url = try values[Settings.portOneV2.url]
        webhookSecrets = try values[Settings.portOneV2.webhookSecrets] ?? []
        guard try values.areSet(Self.required) else { return nil }
        secret = try values.required(Settings.portOneV2.secret)
        storeID = try values.required(Settings.portOneV2.storeID)
    }

    static func receipt(in body: ReceiptRequestBody) throws(MalformedIdentifier) -> Receipt? {
        guard let paymentID = body.paymentID else { return nil }
        return .v2(paymentID: try PaymentID(paymentID.value))
    }

    func connect(
        _ shared: GatewayConfiguration, over transport: any HTTPTransport, logger: Logger
    ) throws -> any PaymentGateway {
        PortOneV2(
            configuration: PortOneV2Configuration(
                url: try HTTPURL(url), secret: Secret(secret), storeID: storeID, limits: shared.limits),
            transport: transport)
    }

    func probe(at url: HTTPURL, _ limits: GatewayLimits, over transport: any HTTPTransport) async -> GatewayProbe {
        await PortOneV2Configuration(url: url, secret: Secret(secret), storeID: storeID, limits: limits)
            .probe(over: transport)
    }
}
