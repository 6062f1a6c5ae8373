import Glibc

/// The limit of the process's open files; each connection is one.
enum OpenFileLimit {
    /// The maximum that the service uses; the hard limit of some systems is a thousand times higher.
    private static let most = 65_536

    /// Raises the soft limit up to the hard limit.
    ///
    /// Most systems have a soft limit of 1,024, for programs that call `select`; ledgerd does not.
    ///
    /// - Returns: the new limit.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let wanted = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(most)))
        if wanted > limit.rlim_cur {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(min(limit.rlim_cur, rlim_t(most)))
    }

    /// The error of a limit that is too low for any client.
    struct TooLow: Error, CustomStringConvertible {
        let limit: Int
        let needed: Int

        var description: String {
            "the limit of open files is \(limit), but the service needs at least \(needed): raise the limit "
                + "(ulimit -n, LimitNOFILE, --ulimit nofile)"
        }
    }
}
