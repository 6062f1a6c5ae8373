import OutboundHTTP
import PGVerifier

/// Whether each gateway accepts our keys, over TLS, and with a clock like ours.
struct GatewayChecks: Sendable {
    let values: SettingValues
    let transport: CurlTransport
    /// How long each may take.
    let limit: Duration

    func run() async -> [CheckResult] {
        async let v1 = checkV1()
        async let v2 = checkV2()
        let results = await v1 + v2
        guard results.isEmpty else { return results }
        return [
            .failed(
                "gateways", "none is configured",
                do: "set \(Settings.gateways.v1Key.variable) and \(Settings.gateways.v1Secret.variable), or "
                    + "\(Settings.gateways.v2Secret.variable) and \(Settings.gateways.v2StoreID.variable)")
        ]
    }

    private func checkV1() async -> [CheckResult] {
        do throws(ConfigurationError) {
            guard let settings = try GatewayConfiguration.PortOneV1(values) else { return [] }
            let keys = "\(Settings.gateways.v1Key.variable) and \(Settings.gateways.v1Secret.variable)"
            return await check("PortOne V1", at: settings.url, accepted: "a token was issued", keys: keys) {
                url, limits in
                let configuration = PortOneV1Configuration(
                    url: url, key: Secret(settings.key), secret: Secret(settings.secret), limits: limits)
                return await configuration.probe(over: transport)
            }
        } catch {
            return [.skipped("PortOne V1 keys", "its settings are not valid")]
        }
    }

    private func checkV2() async -> [CheckResult] {
        do throws(ConfigurationError) {
            guard let settings = try GatewayConfiguration.PortOneV2(values) else { return [] }
            let keys = "\(Settings.gateways.v2Secret.variable) and \(Settings.gateways.v2StoreID.variable)"
            let accepted = "accepted for the store \(settings.storeID)"
            return await check("PortOne V2", at: settings.url, accepted: accepted, keys: keys) { url, limits in
                let configuration = PortOneV2Configuration(
                    url: url, secret: Secret(settings.secret), storeID: settings.storeID, limits: limits)
                return await configuration.probe(over: transport)
            }
        } catch {
            return [.skipped("PortOne V2 keys", "its settings are not valid")]
        }
    }

    /// - Parameters:
    ///   - accepted: what is said when the keys are accepted.
    ///   - keys: the settings that hold them.
    private func check(
        _ gateway: String, at text: String, accepted: String, keys: String,
        _ probe: @escaping @Sendable (HTTPURL, GatewayLimits) async -> GatewayProbe
    ) async -> [CheckResult] {
        guard let url = try? HTTPURL(text) else { return [.skipped("\(gateway) keys", "its URL is not valid")] }
        var limits = GatewayLimits(totalTimeout: limit)
        limits.attemptTimeout = limit
        limits.connectTimeout = limit
        guard let found = await within(limit + .seconds(1), { [limits] in await probe(url, limits) }) else {
            return [.late("\(gateway) keys", limit)]
        }
        return [
            tls("\(gateway) TLS", url, found.failure), keyResult("\(gateway) keys", found.failure, accepted, keys),
            clock("\(gateway) clock", found.clockOffset),
        ]
    }

    private func tls(_ name: String, _ url: HTTPURL, _ failure: GatewayError?) -> CheckResult {
        guard url.isSecure else { return .ok(name, "none: \(url) is on this machine") }
        if failure?.code == .untrusted {
            return .failed(
                name, "the certificate of \(url) is not trusted: \(failure?.message ?? "")",
                do: "install ca-certificates, or set \(Settings.gateways.caFile.variable) for a proxy of your own")
        }
        guard failure == nil || failure?.httpStatus != nil else { return .skipped(name, "\(url) gave no response") }
        return .ok(name, "the certificate of \(url) is trusted")
    }

    private func keyResult(
        _ name: String, _ failure: GatewayError?, _ accepted: String, _ keys: String
    ) -> CheckResult {
        guard let failure else { return .ok(name, accepted) }
        switch failure.code {
        case .unauthorized, .refused:
            return .failed(
                name, "the gateway refuses them: \(failure.message)", do: "copy \(keys) from the console again")
        case .untrusted:
            return .skipped(name, "they are sent only to a gateway whose certificate is trusted")
        default:
            return .failed(
                name, "\(failure)", do: "see that the URL is right, and that the firewall lets this machine call it")
        }
    }

    private func clock(_ name: String, _ offset: Double?) -> CheckResult {
        offset.map { ClockOffset(seconds: $0).result(name, of: "the gateway's") }
            ?? .skipped(name, "there is no response with a time")
    }
}
