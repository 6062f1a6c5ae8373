import Batching

/// On whose behalf the gateway is asked.
///
/// A gateway takes so many calls at once and so many a second. While there are more, callers take turns: each share of
/// them one, and within a share each caller one. So nobody who asks a lot makes the others wait for more than a turn, and
/// neither do users and the service's own work each other.
///
/// It travels with the task (`GatewayCaller.$current.withValue(…)`), for what asks the gateway lies many calls below who
/// knows the caller.
package struct GatewayCaller: Hashable, Sendable {
    /// On whose behalf this task asks the gateway.
    @TaskLocal package static var current = GatewayCaller.service("")

    let lane: Lane

    /// A user, under a name that means nothing here; all users have one share.
    package static func user(_ name: String) -> GatewayCaller {
        GatewayCaller(lane: Lane(share: "users", caller: name))
    }

    /// A work of the service's own, such as following webhooks; each has a share.
    package static func service(_ name: String) -> GatewayCaller {
        GatewayCaller(lane: Lane(share: "service/" + name))
    }

    /// Calls that many callers share; whose turn it is in them was decided before.
    static let shared = GatewayCaller(lane: Lane(share: "shared"))

    /// What every call waits for.
    static let accessToken = GatewayCaller(lane: Lane(share: "access token"))
}
