import OutboundHTTP
import PGVerifier

/// Whether each gateway accepts our keys, over TLS, and with a clock like ours.
struct GatewayChecks: Sendable {
    let values: SettingValues
    let transport: CurlTransport
    /// How long each may take.
    let limit: Duration

    func run() async -> [CheckResult] {
        let results = await withTaskGroup(of: (place: Int, results: [CheckResult]).self) { group in
            for (place, gateway) in GatewayConfiguration.known.enumerated() {
                group.addTask { (place, await check(gateway)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        guard results.allSatisfy(\.results.isEmpty) else {
            return results.sorted { $0.place < $1.place }.flatMap(\.results)
        }
        return [.failed("gateways", "none is configured", do: "set \(GatewayConfiguration.whatToSet)")]
    }

    private func check<Access: GatewayAccess>(_ gateway: Access.Type) async -> [CheckResult] {
        do throws(ConfigurationError) {
            guard let access = try gateway.init(values) else { return [] }
            return await check(gateway.title, access)
        } catch {
            return [.skipped("\(gateway.title) keys", "its settings are not valid")]
        }
    }

    private func check<Access: GatewayAccess>(_ gateway: String, _ access: Access) async -> [CheckResult] {
        guard let url = try? HTTPURL(access.url) else { return [.skipped("\(gateway) keys", "its URL is not valid")] }
        var limits = GatewayLimits(totalTimeout: limit)
        limits.attemptTimeout = limit
        limits.connectTimeout = limit
        guard
            let found = await within(
                limit + .seconds(1), { [limits] in await access.probe(at: url, limits, over: transport) })
        else {
            return [.late("\(gateway) keys", limit)]
        }
        return [
            tls("\(gateway) TLS", url, found.failure),
            keyResult("\(gateway) keys", found.failure, access.accepted, Access.requiredVariables),
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
