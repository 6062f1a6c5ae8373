import Foundation
import Ledger
import LedgerWire
import Logging
import OutboundHTTP
import PGVerifier

extension Settings {
    static let appStore = AppStoreSettings()
}

/// The settings of the App Store.
struct AppStoreSettings: Sendable {
    private static let off = "the App Store is off"

    let url = Setting(
        "app_store_url", "The URL of the App Store Server API.", rule: GatewayURL.rule,
        default: AppStoreEnvironment.production.url, parse: GatewayURL.parse)
    let sandboxURL = Setting(
        "app_store_sandbox_url", "The URL of the App Store Server API of Apple's sandbox.", rule: GatewayURL.rule,
        default: AppStoreEnvironment.sandbox.url, parse: GatewayURL.parse)
    let bundleID = Setting.text(
        "app_store_bundle_id", "The bundle ID of the app whose purchases are accepted.", unset: off)
    let appID = Setting(
        "app_store_app_id", "The Apple ID of the app in App Store Connect.", rule: "an integer from 1", unset: off
    ) { Int64($0).flatMap { $0 > 0 ? $0 : nil } }
    let issuerID = Setting.text(
        "app_store_issuer_id", "The issuer ID of the keys for In-App Purchase in App Store Connect.", unset: off)
    let keyID = Setting.text("app_store_key_id", "The ID of the key for In-App Purchase.", unset: off)
    let privateKey = Setting(
        "app_store_private_key", "The key for In-App Purchase, which signs requests: the text of the .p8 file.",
        rule: "a P-256 private key in PEM", unset: off, isSecret: true
    ) { text in (try? AppStoreKey(issuerID: "", keyID: "", pem: Secret(text))).map { _ in text } }
    let roots = Setting(
        "app_store_root_certificates",
        "A PEM file with the root certificates that signatures must lead to, used instead of Apple Root CA - G3.",
        rule: "the path of a PEM file with at least one certificate", unset: "Apple Root CA - G3",
        completion: .file(), parse: PEMFile.parse)
    let revocation = Setting<AppStoreConfiguration.Revocation>.choice(
        "app_store_revocation",
        "Whether it is looked up (OCSP) that the certificates of a signature are not revoked: off, soft (refuses what is known to be "
            + "revoked), or hard (accepts only what is known not to be).", default: .soft)
    let trials = StoreTrialSettings(
        "app_store", of: "purchases in Apple's sandbox", everybodys: "which App Review needs")
    let finish = Setting.bool(
        "app_store_finish", "Whether the service tells the App Store that a purchase is delivered, in place of the app."
    )
}

/// The access to the App Store Server API.
struct AppStoreAccess: GatewayAccess {
    static let title = "App Store"
    static let shortTitle = "App Store"

    static var settings: [any SettingDeclaration] {
        let settings = Settings.appStore
        return required + [
            settings.url, settings.sandboxURL, settings.roots, settings.revocation, settings.finish,
        ] + settings.trials.all
    }

    static var required: [any SettingDeclaration] {
        let settings = Settings.appStore
        return [settings.bundleID, settings.appID, settings.issuerID, settings.keyID, settings.privateKey]
    }

    static var companysURL: String? { Settings.appStore.url.absent }

    let url: String
    let sandboxURL: String
    let bundleID: String
    let appID: Int64
    let key: AppStoreKey
    let rootsFile: String?
    let revocation: AppStoreConfiguration.Revocation
    /// Whether purchases in Apple's sandbox are accepted.
    let acceptsSandbox: Bool
    /// Whether we finish purchases, and not the app.
    let finishes: Bool

    var accepted: String { "accepted for \(bundleID)" }

    /// Nil if the App Store is off: nothing that it requires is set.
    ///
    /// A part of it is an error.
    init?(_ values: SettingValues) throws(ConfigurationError) {
        let settings = Settings.appStore
        url = try values[settings.url]
        sandboxURL = try values[settings.sandboxURL]
        rootsFile = try values[settings.roots]
        revocation = try values[settings.revocation]
        finishes = try values[settings.finish]
        let trials = try StoreTrials(values)
        acceptsSandbox = try values[Settings.gateways.allowTestPayments] || trials.apply(at: AppStore.name)
        guard try values.areSet(Self.required) else { return nil }
        bundleID = try values.required(settings.bundleID)
        appID = try values.required(settings.appID)
        let (issuerID, keyID) = (try values.required(settings.issuerID), try values.required(settings.keyID))
        let pem = try values.required(settings.privateKey)
        do {
            key = try AppStoreKey(issuerID: issuerID, keyID: keyID, pem: Secret(pem))
        } catch {
            throw .conflict(settings.privateKey.name, error.rule)
        }
    }

    static var receiptMember: ReceiptRequest.CodingKeys? { .appStore }

    static func receipt(in body: ReceiptRequestBody) throws(MalformedIdentifier) -> Receipt? {
        guard let id = body.appStore?.transactionID else { return nil }
        return .appStore(try TransactionID(id.value))
    }

    static func signedReceipt(in body: ReceiptRequestBody) -> PresentedSignature? {
        guard let body = body.appStore else { return nil }
        return PresentedSignature(gateway: AppStore.name, pointer: "/app_store", data: body.signedTransaction?.value)
    }

    func connect(
        _ shared: GatewayConfiguration, over transport: any HTTPTransport, logger: Logger
    ) throws -> any PaymentGateway {
        AppStore(configuration: try configuration(shared.limits), transport: transport)
    }

    /// - Throws: if a URL or a certificate is not valid.
    private func configuration(_ limits: GatewayLimits) throws -> AppStoreConfiguration {
        var environments: [AppStoreEnvironment: HTTPURL] = [.production: try HTTPURL(url)]
        if acceptsSandbox { environments[.sandbox] = try HTTPURL(sandboxURL) }
        let roots = try rootsFile.map { try AppStoreRoots(pem: String(contentsOfFile: $0, encoding: .utf8)) }
        return AppStoreConfiguration(
            bundleID: bundleID, appleID: appID, key: key, environments: environments, roots: roots ?? .apple,
            revocation: revocation, finishes: finishes, limits: limits)
    }

    /// Production refuses the keys of an app that was never released, so the sandbox is asked then, if it is accepted.
    func probe(at url: HTTPURL, _ limits: GatewayLimits, over transport: any HTTPTransport) async -> GatewayProbe {
        guard let configuration = try? configuration(limits),
            let production = await configuration.probe(.production, over: transport)
        else { return GatewayProbe(failure: GatewayError(.invalidRequest, message: "the settings are not valid")) }
        guard production.failure?.code == .unauthorized,
            let sandbox = await configuration.probe(.sandbox, over: transport)
        else { return production }
        return sandbox
    }
}
