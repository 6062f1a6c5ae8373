package import OutboundHTTP

/// The app, the keys and the addresses of the App Store.
package struct AppStoreConfiguration: Sendable {
    /// How it is found out whether the certificates of a signature are revoked (OCSP).
    package enum Revocation: String, Hashable, Sendable, CaseIterable {
        case off
        /// Refuses what is known to be revoked.
        ///
        /// What can't be found out, and expired certificates, pass.
        case soft
        /// Accepts only what is known not to be revoked, as of now: expired certificates are refused.
        case hard
    }

    /// The app's bundle id; compared with everything signed.
    package var bundleID: String

    /// The app's id in App Store Connect; compared with notifications of production.
    package var appleID: Int64

    /// Signs our requests.
    package var key: AppStoreKey

    /// The accepted environments, with the addresses of their App Store Server API.
    ///
    /// Where the environment is not known, production is asked first.
    package var environments: [AppStoreEnvironment: HTTPURL]

    /// The root certificates.
    package var roots: AppStoreRoots

    /// Whether certificates are looked up.
    package var revocation: Revocation

    /// How far our clock can be behind the store's.
    package var clockSkew: Duration

    /// Whether we tell the store that purchases are delivered, and not the app.
    package var finishes: Bool

    /// The timeouts and limits.
    package var limits: GatewayLimits

    /// A configuration; the defaults suit production.
    package init(
        bundleID: String, appleID: Int64, key: AppStoreKey, environments: [AppStoreEnvironment: HTTPURL],
        roots: AppStoreRoots = .apple, revocation: Revocation = .soft, clockSkew: Duration = .seconds(60),
        finishes: Bool = false, limits: GatewayLimits = GatewayLimits()
    ) {
        self.bundleID = bundleID
        self.appleID = appleID
        self.key = key
        self.environments = environments
        self.roots = roots
        self.revocation = revocation
        self.clockSkew = clockSkew
        self.finishes = finishes
        self.limits = limits
    }

    /// The environment of something signed, if it is ours and of an accepted one.
    func environment(bundleID: String, environment: String) throws(SignedDataError) -> AppStoreEnvironment {
        guard bundleID == self.bundleID else { throw SignedDataError(.anotherApp, "bundleId is not ours") }
        guard let known = AppStoreEnvironment(rawValue: environment), environments[known] != nil else {
            throw SignedDataError(.anotherEnvironment, "the environment is not accepted")
        }
        return known
    }
}
