import Glibc

/// How many files the process may open: every connection is one.
enum OpenFileLimit {
    /// More than any number of clients here needs; some systems' hard limit is a thousand times as much.
    private static let most = 65_536

    /// Raises the soft limit as far as the hard one allows.
    ///
    /// The soft limit is 1,024 on most systems for programs that call `select`, which nothing here does.
    ///
    /// - Returns: the limit.
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

    /// The limit leaves no room for clients.
    struct TooLow: Error, CustomStringConvertible {
        let limit: Int
        let needed: Int

        var description: String {
            "the process may have \(limit) open files and needs \(needed) or more: raise the limit "
                + "(ulimit -n, LimitNOFILE, --ulimit nofile)"
        }
    }
}
