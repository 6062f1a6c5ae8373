import Postgres

extension PostgresConfiguration {
    /// For sessions that read lists and reports: compiling a plan takes longer than carrying it out.
    var forReading: PostgresConfiguration {
        var configuration = with(["jit": "off"])
        configuration.tcpUserTimeout = min(tcpUserTimeout, .seconds(3))
        return configuration
    }

    /// For the session that gets notifications of work and shows that this process is running.
    ///
    /// The server asks after a silent client, and ends its session after some 11 s, so that the leases of a machine that
    /// was switched off end too.
    var forListening: PostgresConfiguration {
        var configuration = forCallersWrites.with([
            "tcp_keepalives_idle": "5", "tcp_keepalives_interval": "2", "tcp_keepalives_count": "3",
        ])
        configuration.applicationName += " listener"
        return configuration
    }

    /// For sessions that look up by key.
    ///
    /// Planning such a statement takes longer than carrying it out, so its first plan is kept. A plan made while tables
    /// are empty may read whole tables for ever, so whole-table reads, and the joins that need them, are forbidden
    /// (decision 0002).
    ///
    /// Most requests wait for one, so a silent server is given up soon after its callers, and the next look-up finds another.
    func forLookups(within patience: Duration) -> PostgresConfiguration {
        var configuration = byKey
        configuration.replyTimeout = min(replyTimeout, max(.seconds(2), patience + .milliseconds(500)))
        configuration.tcpUserTimeout = min(tcpUserTimeout, .seconds(2))
        return configuration
    }

    private var byKey: PostgresConfiguration {
        forReading.with([
            "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
            "plan_cache_mode": "force_generic_plan",
        ])
    }

    /// For sessions that post, whose look-ups are by key too.
    ///
    /// A server that is silent blocks all acts of its stripes, so a writer connects again after three seconds, or four;
    /// by then the server has ended the silent session, which holds the accounts. A session that is only busy is not
    /// silent: the time limit for locks comes first, and a server that is at work is asked. It ends a statement that
    /// takes too long, and then fewer acts are tried at once.
    var forWriting: PostgresConfiguration {
        var configuration = byKey
        configuration.replyTimeout = min(replyTimeout, .seconds(3))
        configuration.busyTimeout = .seconds(10)
        configuration.statementTimeout = min(statementTimeout, .seconds(5))
        configuration.idleInTransactionTimeout = min(idleInTransactionTimeout, .milliseconds(2_500))
        configuration.lockTimeout = min(lockTimeout, .seconds(2))
        return configuration
    }

    /// For sessions that write what a caller waits for and what is no act.
    ///
    /// The reply to a commit comes when the standby has confirmed it; a caller is told sooner that it is not known.
    var forCallersWrites: PostgresConfiguration {
        var configuration = forReading
        configuration.replyTimeout = min(replyTimeout, .seconds(5))
        return configuration
    }

    /// For the session that proposes and withdraws payouts.
    ///
    /// It marks each capture of the payout, in one statement, and waits for other proposals. No writer waits for it.
    var forPayouts: PostgresConfiguration {
        var configuration = forReading
        configuration.statementTimeout = .seconds(600)
        configuration.lockTimeout = .zero
        configuration.replyTimeout = .seconds(605)
        return configuration
    }

    /// For the session that reads all purchases of a period, which may take minutes.
    var forAdjusting: PostgresConfiguration {
        var configuration = forReading
        configuration.statementTimeout = .seconds(600)
        configuration.replyTimeout = .seconds(605)
        return configuration
    }

    /// For the session that publishes events.
    ///
    /// A new ledger of an old database numbers many entries in one statement, which takes minutes on a slow server.
    /// Nested loops, which a plan made on empty tables has, would compare each of them with each other one.
    var forPublishing: PostgresConfiguration {
        var configuration = with([
            "enable_seqscan": "off", "enable_nestloop": "off", "jit": "off", "plan_cache_mode": "force_generic_plan",
        ])
        configuration.statementTimeout = .zero
        // Whoever publishes meanwhile is waited for.
        configuration.lockTimeout = .zero
        configuration.replyTimeout = max(replyTimeout, .seconds(600))
        return configuration
    }

    private func with(_ settings: [String: String]) -> PostgresConfiguration {
        var configuration = self
        configuration.settings.merge(settings) { _, ours in ours }
        return configuration
    }
}
