import Ledger
import OutboundHTTP
import PGVerifier

/// Whether each setting is valid, and whether they go together.
struct SettingChecks: Sendable {
    static let name = "settings"

    let values: SettingValues

    func run(adding misspelt: [CheckResult]) -> [CheckResult] {
        let invalid = Settings.all.compactMap { setting in
            error { () throws(ConfigurationError) in try setting.check(values) }
        }
        let errors = invalid + conflicts.filter { !invalid.contains($0) }
        let failures = misspelt + errors.map { .failed(Self.name, $0.description) }
        let summary = failures.isEmpty ? [CheckResult.ok(Self.name, "all \(Settings.all.count) are valid")] : failures
        return summary + dangerous
    }

    /// Settings that contradict each other.
    private var conflicts: [ConfigurationError] {
        let gateways = GatewayConfiguration.known.map { gateway in
            error { () throws(ConfigurationError) in _ = try gateway.init(values) }
        }
        let others = [
            error { () throws(ConfigurationError) in _ = try ServeConfiguration.JWT(values) },
            error { () throws(ConfigurationError) in _ = try ClaimRules(values) },
            error { () throws(ConfigurationError) in _ = try CoinLifetimes(values) },
            error { () throws(ConfigurationError) in _ = try StoreTrials(values) },
            error { () throws(ConfigurationError) in _ = try GrantLimits(values) },
            error { () throws(ConfigurationError) in _ = try RefundPolicy(values) },
            error { () throws(ConfigurationError) in _ = try values.vatSettings },
            error { () throws(ConfigurationError) in _ = try PrepaidRules(values) },
            error { () throws(ConfigurationError) in _ = try ConsoleConfiguration(values) },
            error { () throws(ConfigurationError) in _ = try EndpointConfiguration(values) },
            error { () throws(ConfigurationError) in try values.requireTwoListeners() },
        ]
        return (gateways + others).compactMap(\.self)
    }

    private func error(_ check: () throws(ConfigurationError) -> Void) -> ConfigurationError? {
        do throws(ConfigurationError) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    /// Settings that are never right in production.
    private var dangerous: [CheckResult] {
        guard (try? values[Settings.gateways.allowTestPayments]) == true else { return [] }
        return [
            .warning(
                "test payments", "payments of the gateway's test channel are credited: anybody can make them",
                do: "remove \(Settings.gateways.allowTestPayments.variable) before you go live")
        ]
    }
}

/// Whether access tokens can be verified.
struct TokenChecks: Sendable {
    static let name = "token keys"

    let values: SettingValues

    func run(_ transport: CurlTransport) async -> [CheckResult] {
        guard let jwt = try? ServeConfiguration.JWT(values) else {
            return [.skipped(Self.name, "its settings are not valid")]
        }
        do {
            _ = try await jwt.makeVerifier(transport: transport)
        } catch {
            return [.failed(Self.name, error, do: "see that jwt_jwks names a readable JWKS with public keys that sign")]
        }
        guard case .jwks = jwt.keys else { return [.ok(Self.name, "a shared secret (HS256)")] }
        guard jwt.audience != nil || jwt.issuer != nil else {
            return [
                .warning(
                    Self.name,
                    "any token that the keys of the JWKS sign is accepted, also one made for another service",
                    do: "set \(Settings.tokens.audience.variable) and \(Settings.tokens.issuer.variable)")
            ]
        }
        return [.ok(Self.name, "the JWKS has keys that sign")]
    }
}

/// Whether webhooks are taken, and only from the gateways.
struct WebhookChecks: Sendable {
    let values: SettingValues

    func run() -> [CheckResult] {
        GatewayConfiguration.known.compactMap { gateway in (try? gateway.init(values))?.checkWebhooks(values) }
    }
}

/// What keeps the books: sealing, sweeps and reconciliation.
struct BookChecks: Sendable {
    let values: SettingValues

    func run() -> [CheckResult] { [seal, sweep, reconciliation] }

    private var seal: CheckResult {
        let name = "seal key"
        do {
            guard let key = try values[Settings.books.sealKey] else {
                return .warning(
                    name, "not set: the books are not sealed",
                    do: "run `ledgerd seal keygen` and set \(Settings.books.sealKey.variable)")
            }
            return .ok(name, "id \(key.publicKey.id); give checkers the public key \(key.publicKey.base64)")
        } catch {
            return .skipped(name, "its setting is not valid")
        }
    }

    private var sweep: CheckResult {
        let (name, setting) = ("sweep", Settings.gateways.sweepInterval)
        guard let interval = try? values[setting] else { return .skipped(name, "its setting is not valid") }
        guard let duration = interval.duration else {
            return .warning(
                name, "off: a payment whose webhook is lost waits for its app or for the reconciliation",
                do: "set \(setting.variable), unless other processes sweep")
        }
        return .ok(name, "at the start and every \(DurationText.text(of: duration))")
    }

    private var reconciliation: CheckResult {
        let name = "reconciliation"
        guard let zone = try? values[Settings.books.timeZone], let time = try? values[Settings.books.reconcileAt] else {
            return .skipped(name, "its settings are not valid")
        }
        guard let daily = time.time else {
            return .warning(
                name, "off: nobody compares the gateways' payments with the books",
                do: "set \(Settings.books.reconcileAt.variable), or run `ledgerd reconcile` every day")
        }
        let clock = [daily.hour, daily.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return .ok(name, "daily at \(clock), \(zone.identifier)")
    }
}
