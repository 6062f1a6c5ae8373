import Logging
import OutboundHTTP
import PGVerifier

extension Settings {
    static let portOneV1 = PortOneV1Settings()
}

/// The settings of PortOne V1.
struct PortOneV1Settings: Sendable {
    let url = Setting(
        "portone_v1_url", "The URL of PortOne's V1 REST API.", rule: GatewayURL.rule, default: "https://api.iamport.kr",
        parse: GatewayURL.parse)
    let key = Setting(
        "portone_v1_key", "The REST API key (imp_key) of PortOne V1.", rule: SecretTexts.plainRule, unset: "V1 is off",
        isSecret: true, parse: SecretTexts.plain)
    let secret = Setting(
        "portone_v1_secret", "The REST API secret (imp_secret) of PortOne V1.", rule: SecretTexts.plainRule,
        unset: "V1 is off", isSecret: true, parse: SecretTexts.plain)
}

/// The access to PortOne's V1 API.
struct PortOneV1Access: GatewayAccess {
    static let title = "PortOne V1"
    static let shortTitle = "V1"

    static var settings: [any SettingDeclaration] {
        [Settings.portOneV1.url, Settings.portOneV1.key, Settings.portOneV1.secret]
    }

    static var required: [any SettingDeclaration] { [Settings.portOneV1.key, Settings.portOneV1.secret] }
    static var companysURL: String? { Settings.portOneV1.url.absent }

    let url: String
    let key: String
    let secret: String

    let accepted = "a token was issued"

    /// Nil if V1 is off: it has neither a key nor a secret.
    ///
    /// One without the other is an error.
    init?(_ values: SettingValues) throws(ConfigurationError) {
        url = try values[Settings.portOneV1.url]
        guard try values.areSet(Self.required) else { return nil }
        key = try values.required(Settings.portOneV1.key)
        secret = try values.required(Settings.portOneV1.secret)
    }

    static func receipt(in body: ReceiptRequestBody) throws(MalformedIdentifier) -> Receipt? {
        guard let impUID = body.impUID, let merchantUID = body.merchantUID else { return nil }
        return .v1(impUID: try ImpUID(impUID.value), merchantUID: try MerchantUID(merchantUID.value))
    }

    func connect(
        _ shared: GatewayConfiguration, over transport: any HTTPTransport, logger: Logger
    ) throws -> any PaymentGateway {
        PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL(url), key: Secret(key), secret: Secret(secret),
                includeTestPayments: shared.allowTestPayments, limits: shared.limits),
            transport: transport, logger: logger)
    }

    func probe(at url: HTTPURL, _ limits: GatewayLimits, over transport: any HTTPTransport) async -> GatewayProbe {
        await PortOneV1Configuration(url: url, key: Secret(key), secret: Secret(secret), limits: limits)
            .probe(over: transport)
    }
}
