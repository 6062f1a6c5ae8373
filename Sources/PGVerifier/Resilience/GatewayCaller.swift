import Batching

/// The caller of a gateway request.
///
/// The number and rate of calls to a gateway are limited. When more calls wait, the shares take turns, and within a
/// share its callers do. So a busy caller delays the others by at most one turn, and so do users and the service's own
/// work.
///
/// It is a task-local value (`GatewayCaller.$current.withValue(…)`), because the code that calls the gateway is many
/// levels below the code that knows the caller.
package struct GatewayCaller: Hashable, Sendable {
    /// The caller of this task.
    @TaskLocal package static var current = GatewayCaller.service("")

    let lane: Lane

    /// A user, with an opaque name; all users have one share.
    package static func user(_ name: String) -> GatewayCaller {
        GatewayCaller(lane: Lane(share: "users", caller: name))
    }

    /// A background work of the service, such as processing webhooks; each has a share.
    package static func service(_ name: String) -> GatewayCaller {
        GatewayCaller(lane: Lane(share: "service/" + name))
    }

    /// Calls that several callers share; their turns were taken before.
    static let shared = GatewayCaller(lane: Lane(share: "shared"))

    /// Requests for access tokens, which every call needs.
    static let accessToken = GatewayCaller(lane: Lane(share: "access token"))
}
