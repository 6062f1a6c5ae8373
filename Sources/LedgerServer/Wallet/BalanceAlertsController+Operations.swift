import LedgerWire

extension BalanceAlertsController: Feature {
    static let routes: [Route<Self>] =
        routes(
            "BalanceAlerts", of: "all users without thresholds of their own", at: "/v1/balance-alerts",
            setting: "They replace those before, and count for what happens from then on.",
            removing: "A repeat changes nothing."
        ) { $0 }
        + routes(
            "UserBalanceAlerts", of: "a user", at: "/v1/users/{user}/balance-alerts", [.user],
            setting: """
                They replace those before, and those of the ledger, and count for what happens from then on. With empty lists \
                the user causes no such events.
                """,
            removing: "Those of the ledger count from then on. A repeat changes nothing."
        ) { $0.ofUserInPath }

    /// The routes of the thresholds of one kind of owner.
    private static func routes(
        _ name: String, of owner: String, at path: String, _ inPath: [Operation.Parameter] = [], setting: String,
        removing: String, _ controller: @escaping @Sendable (Self) -> Self
    ) -> [Route<Self>] {
        [
            Route(
                .read(
                    "get\(name)", path, .serviceRead, .users, "Get the thresholds of the coins of \(owner)",
                    parameters: inPath, answers: [.ok(BalanceAlertsBody.self, "The thresholds.")],
                    refusals: [.notFound])
            ) { controller($0).show },
            Route(
                .write(
                    "set\(name)", .put, path, .serviceWrite, .users, "Set the thresholds of the coins of \(owner)",
                    "Available coins that cross a threshold are an event `balance.fell_below` or `balance.rose_above`. "
                        + setting,
                    parameters: inPath,
                    body: .json(
                        BalanceAlertsRequestBody.self, .init("both", ["below": [100], "above": [10_000, 100_000]])),
                    answers: [.ok(BalanceAlertsBody.self, "The thresholds as they are now.")])
            ) { controller($0).set },
            Route(
                .write(
                    "remove\(name)", .delete, path, .serviceWrite, .users,
                    "Remove the thresholds of the coins of \(owner)", removing,
                    parameters: inPath, answers: [.init(204, "There are none.")])
            ) { controller($0).remove },
        ]
    }

    static func make(with deps: Deps) throws -> Self? {
        BalanceAlertsController(alerts: deps.ledger.balanceAlerts)
    }
}
