/// What a service is for, so that nobody takes a rehearsal for the real thing, or the other way round.
package enum ServiceEnvironment: String, CaseIterable, Sendable {
    /// Users pay real money.
    case production
    /// The gateway's test channel: payments go through the real gateway, and no money moves.
    case test
    /// A simulated gateway: nothing leaves the machines.
    case sandbox

    /// The environment of the settings; without one, what the gateways' URLs and `allow_test_payments` tell.
    init(_ values: SettingValues) throws(ConfigurationError) {
        if let given = try values[Settings.console.environment] {
            self = given
        } else {
            self.init(of: try GatewayConfiguration(values))
        }
    }

    /// What the access to the gateways tells.
    ///
    /// One gateway that is somewhere else than at its company is enough for a sandbox. A proxy in front of the real one
    /// looks the same: then `environment` has to be set.
    init(of gateways: GatewayConfiguration) {
        let isElsewhere = gateways.accesses.contains { access in
            type(of: access).companysURL.map { $0 != access.url } ?? false
        }
        if isElsewhere {
            self = .sandbox
        } else {
            self = gateways.allowTestPayments ? .test : .production
        }
    }
}
