import LedgerWire
import Logging
import OutboundHTTP
import PGVerifier

extension Settings {
    static let googlePlay = GooglePlaySettings()
}

/// The settings of Google Play.
struct GooglePlaySettings: Sendable {
    private static let off = "Google Play is off"
    private static let noPush = "Google Play's messages are refused"

    let url = Setting(
        "google_play_url", "The URL of the Google Play Developer API.", rule: GatewayURL.rule,
        default: GooglePlayConfiguration.apiURL, parse: GatewayURL.parse)
    let package = Setting.text(
        "google_play_package", "The package name of the app whose purchases are accepted.", unset: off)
    let account = Setting(
        "google_play_account",
        "The service account that may see and change the app's orders: the text of the JSON file of its key.",
        rule: "the JSON of a service account's RSA key", unset: off, isSecret: true
    ) { text in (try? GooglePlayAccount(json: Secret(text))).map { _ in text } }
    let trials = StoreTrialSettings(
        "google_play", of: "purchases as a licence tester of Google Play",
        everybodys: "of the accounts that the Play Console names")
    let subscription = Setting.text(
        "google_play_push_subscription",
        "The subscription of Cloud Pub/Sub that pushes Google Play's messages, such as projects/shop/subscriptions/play.",
        unset: noPush)
    let audience = Setting.text(
        "google_play_push_audience",
        "The audience that the subscription's tokens are for: the URL of its endpoint unless another one is set there.",
        unset: noPush)
    let sender = Setting.text(
        "google_play_push_sender", "The e-mail address of the service account that the subscription pushes as.",
        unset: noPush)
    let keysURL = Setting(
        "google_play_push_keys_url", "The URL of the keys that sign the subscription's tokens.", rule: GatewayURL.rule,
        default: GooglePlayPush.keysURL, parse: GatewayURL.parse)
}

/// The access to the Google Play Developer API.
struct GooglePlayAccess: GatewayAccess {
    static let title = "Google Play"
    static let shortTitle = "Google Play"

    static var settings: [any SettingDeclaration] {
        required + [Settings.googlePlay.url] + Settings.googlePlay.trials.all
    }

    static var webhookSettings: [any SettingDeclaration] {
        let settings = Settings.googlePlay
        return [settings.subscription, settings.audience, settings.sender, settings.keysURL]
    }

    static var required: [any SettingDeclaration] { [Settings.googlePlay.package, Settings.googlePlay.account] }
    static var companysURL: String? { Settings.googlePlay.url.absent }

    let url: String
    let package: String
    let account: GooglePlayAccount
    /// Who may push messages; nil: nobody.
    let push: GooglePlayPush?

    var accepted: String { "accepted for \(package)" }

    /// Nil if Google Play is off: neither the app nor the account is set.
    ///
    /// One without the other is an error.
    init?(_ values: SettingValues) throws(ConfigurationError) {
        let settings = Settings.googlePlay
        url = try values[settings.url]
        push = try GooglePlayPush(values)
        guard try values.areSet(Self.required) else { return nil }
        package = try values.required(settings.package)
        let text = try values.required(settings.account)
        do throws(UnusableSetting) {
            account = try GooglePlayAccount(json: Secret(text))
        } catch {
            throw .conflict(settings.account.name, error.rule)
        }
    }

    static var receiptMember: ReceiptRequest.CodingKeys? { .googlePlay }

    static func receipt(in body: ReceiptRequestBody) throws(MalformedIdentifier) -> Receipt? {
        guard let token = body.googlePlay?.purchaseToken else { return nil }
        return .googlePlay(try PurchaseToken(token.value))
    }

    func connect(
        _ shared: GatewayConfiguration, over transport: any HTTPTransport, logger: Logger
    ) throws -> any PaymentGateway {
        GooglePlay(
            configuration: configuration(at: try HTTPURL(url), shared.limits), transport: transport, logger: logger)
    }

    private func configuration(at url: HTTPURL, _ limits: GatewayLimits) -> GooglePlayConfiguration {
        GooglePlayConfiguration(packageName: package, account: account, url: url, push: push, limits: limits)
    }

    func probe(at url: HTTPURL, _ limits: GatewayLimits, over transport: any HTTPTransport) async -> GatewayProbe {
        await configuration(at: url, limits).probe(over: transport)
    }
}

extension GooglePlayPush {
    /// Nil if no subscription is set; a part of it is an error.
    fileprivate init?(_ values: SettingValues) throws(ConfigurationError) {
        let settings = Settings.googlePlay
        let keysURL = try values[settings.keysURL]
        guard try values.areSet([settings.subscription, settings.audience, settings.sender]) else { return nil }
        guard let url = try? HTTPURL(keysURL) else {
            throw .conflict(settings.keysURL.name, "\(settings.keysURL.name) must be \(GatewayURL.rule)")
        }
        self.init(
            audience: try values.required(settings.audience), sender: try values.required(settings.sender),
            subscription: try values.required(settings.subscription), keysURL: url)
    }
}
