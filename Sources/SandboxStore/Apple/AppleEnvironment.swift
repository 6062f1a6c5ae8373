/// An environment of the App Store, each with its own transactions.
enum AppleEnvironment: String, Codable, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"

    /// The path of its API, which is a host of its own at Apple.
    var path: String { self == .production ? "apple/production" : "apple/sandbox" }

    /// How many days the notification history goes back (Get Notification History).
    var historyDays: Double { self == .production ? 180 : 30 }
}
