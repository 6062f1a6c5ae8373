/// The gateway's API through which something happens.
package enum Version: String, Sendable, CaseIterable {
    case v1 = "V1"
    case v2 = "V2"

    /// The name under which its payments are recorded.
    package var gateway: String { self == .v1 ? "portone-v1" : "portone-v2" }
}
