/// An environment of the App Store in which purchases are made.
///
/// `Xcode` and `LocalTesting` have signatures that nobody can verify, so they are none.
package enum AppStoreEnvironment: String, Hashable, Sendable, CaseIterable {
    case production = "Production"
    /// Testers, TestFlight and App Review; nobody pays.
    case sandbox = "Sandbox"

    /// Apple's host of the App Store Server API (names since 2026-05-05).
    package var url: String {
        switch self {
        case .production: "https://api.storekit.apple.com"
        case .sandbox: "https://api.storekit-sandbox.apple.com"
        }
    }

    /// How many days back the gateway lists notifications.
    package var notificationDays: Int {
        switch self {
        case .production: 180
        case .sandbox: 30
        }
    }

    /// What its limits of calls are multiplied with.
    var shareOfLimits: Double {
        switch self {
        case .production: 1
        case .sandbox: 0.1
        }
    }

    /// The name in metrics: each environment has its own circuit.
    var metricsName: String {
        switch self {
        case .production: AppStore.name
        case .sandbox: AppStore.name + "-sandbox"
        }
    }
}
