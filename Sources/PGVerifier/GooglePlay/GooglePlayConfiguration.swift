package import OutboundHTTP

/// The app, the account and the addresses of Google Play.
package struct GooglePlayConfiguration: Sendable {
    /// Google's address of the Play Developer API.
    package static let apiURL = "https://androidpublisher.googleapis.com"

    /// The app's package name; compared with every notification.
    package var packageName: String

    /// Signs our requests for access tokens.
    package var account: GooglePlayAccount

    /// The address of the Play Developer API.
    package var url: HTTPURL

    /// Who may send notifications; nil: nobody.
    package var push: GooglePlayPush?

    /// The timeouts and limits.
    package var limits: GatewayLimits

    /// A configuration; the defaults suit production.
    package init(
        packageName: String, account: GooglePlayAccount, url: HTTPURL, push: GooglePlayPush? = nil,
        limits: GatewayLimits = GatewayLimits()
    ) {
        self.packageName = packageName
        self.account = account
        self.url = url
        self.push = push
        self.limits = limits
    }
}

/// The push subscription of Cloud Pub/Sub that brings notifications of Google Play.
package struct GooglePlayPush: Sendable {
    /// Google's address of the keys that verify its tokens.
    package static let keysURL = "https://www.googleapis.com/oauth2/v3/certs"

    /// The audience that the subscription is set to: its own address unless another is set there.
    package var audience: String

    /// The e-mail address of the service account that the subscription pushes as.
    package var sender: String

    /// The subscription, such as `projects/shop/subscriptions/play`.
    package var subscription: String

    /// The address of Google's public keys.
    package var keysURL: HTTPURL

    /// How far our clock and Google's can differ.
    package var clockSkew: Duration

    /// A subscription; the defaults suit production.
    package init(
        audience: String, sender: String, subscription: String, keysURL: HTTPURL, clockSkew: Duration = .seconds(60)
    ) {
        self.audience = audience
        self.sender = sender
        self.subscription = subscription
        self.keysURL = keysURL
        self.clockSkew = clockSkew
    }
}
