import Crypto
import FoundationEssentials

/// The address of the simulated stores, and what each store knows of the app.
package struct SandboxStoreConfiguration: Sendable {
    /// The address to listen on.
    package var host: String

    /// The port to listen on; 0 for any free port.
    package var port: Int

    /// The factor by which delays are shortened.
    package var timeScale: Double

    /// The App Store.
    package var apple: Apple

    /// Google Play.
    package var google: Google

    /// The maximum number of requests in the journal.
    package var journalCapacity: Int

    /// A configuration; the defaults are for a local machine.
    package init(
        host: String = "127.0.0.1", port: Int = 8082, timeScale: Double = 1, apple: Apple = Apple(),
        google: Google = Google(), journalCapacity: Int = 10_000
    ) {
        self.host = host
        self.port = port
        self.timeScale = timeScale
        self.apple = apple
        self.google = google
        self.journalCapacity = journalCapacity
    }

    /// An app in App Store Connect, and its key of the App Store Server API.
    package struct Apple: Sendable {
        /// The app's bundle ID.
        package var bundleID: String

        /// The app's Apple ID.
        package var appAppleID: Int

        /// The issuer ID of the API's keys.
        package var issuerID: String

        /// The ID of the API's key.
        package var keyID: String

        /// Where notifications of production are sent, `http` only; nil sends none.
        package var notificationURL: String?

        /// Where notifications of the sandbox are sent, `http` only; nil sends none.
        package var sandboxNotificationURL: String?

        package init(
            bundleID: String = "com.example.coins", appAppleID: Int = 1_234_567_890,
            issuerID: String = "57246542-96fe-1a63-e053-0824d011072a", keyID: String = "SANDBOXKEY",
            notificationURL: String? = nil, sandboxNotificationURL: String? = nil
        ) {
            self.bundleID = bundleID
            self.appAppleID = appAppleID
            self.issuerID = issuerID
            self.keyID = keyID
            self.notificationURL = notificationURL
            self.sandboxNotificationURL = sandboxNotificationURL
        }

        var urls: [AppleEnvironment: String] {
            [.production: notificationURL, .sandbox: sandboxNotificationURL].compactMapValues(\.self)
        }

        /// The private key of the API's clients, in PEM: always the same one, which protects nothing.
        package static var clientKey: String {
            get throws { try key.pemRepresentation }
        }

        static var key: P256.Signing.PrivateKey {
            get throws {
                try P256.Signing.PrivateKey(rawRepresentation: SHA256.hash(data: Data("App Store sandbox".utf8)))
            }
        }
    }
}

extension SandboxStoreConfiguration {
    /// An app in the Play Console, its service account, and the subscription that pushes its messages.
    package struct Google: Sendable {
        /// The app's package name.
        package var packageName: String

        /// The email address of the service account that uses the API.
        package var serviceAccount: String

        /// The email address of the service account with which Pub/Sub pushes.
        package var pushEmail: String

        /// The subscription's name.
        package var subscription: String

        /// Where messages are pushed, `http` only; nil pushes none.
        package var pushURL: String?

        package init(
            packageName: String = "com.example.coins",
            serviceAccount: String = "ledgerd@sandbox.iam.gserviceaccount.com",
            pushEmail: String = "pubsub-push@sandbox.iam.gserviceaccount.com",
            subscription: String = "projects/sandbox/subscriptions/google-play", pushURL: String? = nil
        ) {
            self.packageName = packageName
            self.serviceAccount = serviceAccount
            self.pushEmail = pushEmail
            self.subscription = subscription
            self.pushURL = pushURL
        }
    }
}

/// An invalid configuration of the simulated stores.
package struct SandboxStoreError: Error, CustomStringConvertible {
    /// The error.
    package let description: String
}
