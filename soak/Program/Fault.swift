/// What goes wrong.
enum Fault: String, CaseIterable {
    case killService = "kill-service"
    case freezeService = "freeze-service"
    case killPrimary = "kill-primary"
    case crashPrimary = "crash-primary"
    case freezePrimary = "freeze-primary"
    case killEtcdLeader = "kill-etcd-leader"
    case cutPrimary = "cut-primary"
    case cutPrimaryIn = "cut-primary-in"
    case cutPrimaryOut = "cut-primary-out"
    case unplugPrimary = "unplug-primary"
    case slowPrimary = "slow-primary"
    case fillPrimary = "fill-primary"
    case stepClock = "step-clock"
    case killStandby = "kill-standby"
    case switchover
    case cancelCommits = "cancel-commits"
    case cancelAndKill = "cancel-and-kill"
    case terminateSessions = "terminate-sessions"
    case gateway

    /// Whether the database, and not a service or the gateway, fails.
    var isOfDatabase: Bool { ![.killService, .freezeService, .stepClock, .gateway].contains(self) }
}

/// Faults in random order, each once before any comes again.
struct FaultPlan {
    private let kinds: [Fault]
    private var next: [Fault] = []

    init(_ kinds: [Fault]) { self.kinds = kinds }

    mutating func draw(_ random: inout some RandomNumberGenerator) -> Fault? {
        if next.isEmpty { next = kinds.shuffled(using: &random) }
        return next.popLast()
    }
}
