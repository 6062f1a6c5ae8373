import LedgerWire
import Logging
import OutboundHTTP
import PGVerifier

/// The access to a gateway that the settings give, and everything else that the service needs of the gateway: its
/// settings, receipts, webhooks and checks.
///
/// What the gateway can do are the abilities of the ``connect(_:over:logger:)``ed ``PaymentGateway``.
protocol GatewayAccess: Sendable {
    /// The name for people, such as `PortOne V1`.
    static var title: String { get }

    /// The title where there is little room, such as `V1`.
    static var shortTitle: String { get }

    /// The settings of the group *Payment gateways*.
    static var settings: [any SettingDeclaration] { get }

    /// The settings of the group *Webhooks*.
    static var webhookSettings: [any SettingDeclaration] { get }

    /// The settings without which the gateway is off.
    static var required: [any SettingDeclaration] { get }

    /// The receipt that a client presents.
    ///
    /// - Returns: nil if the body does not have the gateway's members.
    /// - Throws: the rule that an id breaks.
    static func receipt(in body: ReceiptRequestBody) throws(MalformedIdentifier) -> Receipt?

    /// The member of the body that has the gateway's members; nil: the body itself.
    static var receiptMember: ReceiptRequest.CodingKeys? { get }

    /// What a client presents that the gateway has to have signed; nil: the body does not have the gateway's members, or the gateway
    /// signs nothing.
    static func signedReceipt(in body: ReceiptRequestBody) -> PresentedSignature?

    /// The operation that receives the gateway's events; nil: it sends none.
    static var webhook: Operation? { get }

    /// The configured access; nil if the gateway is off.
    ///
    /// - Throws: ``ConfigurationError`` for the first setting that is invalid or contradicts another.
    init?(_ values: SettingValues) throws(ConfigurationError)

    /// The URL of the gateway's API.
    var url: String { get }

    /// The URL at which the gateway's company serves its API, and any other is a sandbox's; nil: there is no such URL.
    static var companysURL: String? { get }

    /// What a check says when the gateway accepts the keys.
    var accepted: String { get }

    /// Builds the client of the gateway; it sends nothing before the first request.
    ///
    /// - Parameter shared: the settings that all gateways share.
    /// - Throws: if ``url`` is not valid.
    func connect(
        _ shared: GatewayConfiguration, over transport: any HTTPTransport, logger: Logger
    ) throws -> any PaymentGateway

    /// Sends one harmless request to find out whether the gateway accepts the keys.
    func probe(at url: HTTPURL, _ limits: GatewayLimits, over transport: any HTTPTransport) async -> GatewayProbe

    /// What reads the gateway's events; nil: they are refused.
    ///
    /// - Parameter gateway: the connected gateway of this access; nil: it is off.
    func webhookReader(_ shared: GatewayConfiguration, of gateway: (any PaymentGateway)?) throws -> WebhookReader?

    /// Whether webhooks are taken, and only from the gateway; nil: it sends none.
    func checkWebhooks(_ values: SettingValues) -> CheckResult?
}

/// What a client presents of a gateway that signs receipts.
struct PresentedSignature: Sendable {
    /// The gateway's name.
    let gateway: String
    /// The JSON pointer of the gateway's members.
    let pointer: String
    /// The signed data; nil: the client has only the payment's id.
    let data: String?
}

extension GatewayAccess {
    static var webhookSettings: [any SettingDeclaration] { [] }
    static var receiptMember: ReceiptRequest.CodingKeys? { nil }
    static func signedReceipt(in body: ReceiptRequestBody) -> PresentedSignature? { nil }
    static var webhook: Operation? { nil }
    func webhookReader(_ shared: GatewayConfiguration, of gateway: (any PaymentGateway)?) throws -> WebhookReader? {
        nil
    }
    func checkWebhooks(_ values: SettingValues) -> CheckResult? { nil }

    /// The environment variables without which the gateway is off, for a sentence.
    static var requiredVariables: String { required.map(\.variable).joined(separator: " and ") }
}
