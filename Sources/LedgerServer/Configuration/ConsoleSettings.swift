package import Foundation
package import Ledger
import PGVerifier

struct ConsoleSettings: SettingGroup {
    let title = "Console"

    let issuer = Setting(
        "console_issuer",
        "The OpenID Connect provider that people sign in to the console with. It turns the console on: /console of "
            + "admin_listen.",
        rule: GatewayURL.rule, unset: "there is no console", parse: { ConsoleURL.issuer($0) })
    let clientID = Setting.text(
        "console_client_id", "The console's client id at the provider. Required with console_issuer.",
        unset: "there is no console")
    let clientSecret = Setting(
        "console_client_secret", "The console's client secret at the provider.", rule: SecretTexts.plainRule,
        unset: "the console is a public client, with PKCE alone", isSecret: true, parse: SecretTexts.plain)
    let url = Setting(
        "console_url",
        "The address of admin_listen in people's browsers. The provider redirects to /console/callback there. Required "
            + "with console_issuer.",
        rule: "an https URL without a path, or an http URL of this machine", unset: "there is no console",
        parse: ConsoleURL.origin)
    let scopes = Setting(
        "console_scopes", "The scopes that the provider is asked for.",
        rule: "names separated by commas, one of them openid", default: "openid,profile",
        parse: { text in
            let names = text.commaSeparated
            return names.contains("openid") && names.allSatisfy { SecretTexts.plain($0) != nil } ? names : nil
        })
    let roleClaim = Setting(
        "console_role_claim",
        "The claim of the ID token with the person's roles: a text or a list of texts. Dots lead into objects, as in "
            + "realm_access.roles.",
        rule: "the name of a claim", default: "roles", parse: { $0.isEmpty ? nil : $0 })
    let viewers = roles("console_viewers", "who can read")
    let support = roles("console_support", "who can also help customers")
    let finance = roles("console_finance", "who can also approve acts and keep the books")
    let administrators = roles("console_administrators", "who can do everything")
    let idle = Setting.duration(
        "console_idle", "How long a session of the console lasts without use.",
        in: .seconds(60)...(.seconds(86_400)), default: .seconds(1800))
    let session = Setting.duration(
        "console_session", "How long a session of the console lasts, even if it is in use.",
        in: .seconds(60)...(.seconds(604_800)), default: .seconds(43_200))
    let refundLimit = Setting.integer(
        "console_refund_limit",
        "The most won of a purchase to refund in all, and of a finding's payment to credit to a customer, that one "
            + "person can decide in the console. More, and a finding's payment in another currency, needs a second person.",
        in: 0...1_000_000_000_000, default: 100_000)
    let grantLimit = Setting.integer(
        "console_grant_limit",
        "The most coins that one person can grant, void of a grant in all, write off a debt of, or let come back of a spend "
            + "or capture in all, in the console. More need a second person, and so does a campaign with a larger budget, "
            + "whoever creates it.",
        in: 0...1_000_000_000_000, default: 1000)

    let environment = Setting(
        "environment",
        "What this service is for. Unless it is production, a band on every page of the console says so, and so do the "
            + "titles of its pages.",
        rule: "one of " + ServiceEnvironment.allCases.map(\.rawValue).joined(separator: ", "),
        unset: "sandbox if a gateway's URL is not its company's own, otherwise test with allow_test_payments, "
            + "otherwise production",
        completion: .list(ServiceEnvironment.allCases.map(\.rawValue)),
        parse: { ServiceEnvironment(rawValue: $0.lowercased()) })

    private static func roles(_ name: String, _ who: String) -> Setting<[String]> {
        let role = name.split(separator: "_")[1]
        let value = role.hasSuffix("s") ? role.dropLast() : role
        return Setting(
            name, "The values of console_role_claim of \(who).", rule: "texts separated by commas",
            default: String(value),
            parse: { text in
                let values = text.commaSeparated
                return values.isEmpty ? nil : values
            })
    }
}

/// Checks of the URLs in the console's settings.
enum ConsoleURL {
    /// The issuer, exactly as its tokens have it; nil for one that can't be fetched from.
    static func issuer(_ text: String) -> String? { GatewayURL.parse(text) == nil ? nil : text }

    /// The origin of a URL without a path.
    static func origin(_ text: String) -> String? {
        guard let url = GatewayURL.parse(text), let host = url.range(of: "://").map({ url[$0.upperBound...] }),
            !host.contains("/"), !host.contains("@"), url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        return url.lowercased()
    }
}

/// What the console needs of the settings.
package struct ConsoleConfiguration: Sendable {
    package let issuer: String
    package let clientID: String
    package let clientSecret: String?
    /// The origin that browsers see, such as `https://console.example.com`.
    package let origin: String
    package let scopes: [String]
    package let roles: RoleClaim
    package let idle: Duration
    package let lifetime: Duration
    package let limits: ApprovalLimits
    /// The time zone of times on pages.
    package let timeZone: TimeZone
    /// What the service is for, which every page says unless it is production.
    package let environment: ServiceEnvironment
    /// The accounts of an ERP, for vouchers.
    package let voucherAccounts: VoucherAccounts?
    /// The key that signs seals.
    package let sealKey: SealKey?

    /// Nil if the console is off.
    ///
    /// - Throws: ``ConfigurationError`` when a setting that belongs to the issuer is missing.
    init?(_ values: SettingValues) throws(ConfigurationError) {
        guard let issuer = try values[Settings.console.issuer] else { return nil }
        self.issuer = issuer
        clientID = try values.required(Settings.console.clientID)
        clientSecret = try values[Settings.console.clientSecret]
        origin = try values.required(Settings.console.url)
        guard try values[Settings.http.adminListen] != nil else {
            throw .conflict(
                "admin_listen", "console_issuer is set without admin_listen, which the console is served on")
        }
        scopes = try values[Settings.console.scopes]
        roles = try RoleClaim(values)
        idle = try values[Settings.console.idle]
        lifetime = try values[Settings.console.session]
        limits = try ApprovalLimits(values)
        timeZone = try values[Settings.books.timeZone]
        environment = try ServiceEnvironment(values)
        voucherAccounts = try values[Settings.books.voucherAccounts]
        sealKey = try values[Settings.books.sealKey]
    }
}
