import Ledger

/// The settings of a store for purchases that nobody pays.
struct StoreTrialSettings: Sendable {
    let sandbox: Setting<StoreTrials.Mode>
    let testers: Setting<[UserID]?>
    let sandboxCoins: Setting<Int>

    var all: [any SettingDeclaration] { [sandbox, testers, sandboxCoins] }

    /// - Parameters:
    ///   - prefix: how their names begin.
    ///   - purchases: such as `purchases in Apple's sandbox`.
    ///   - reason: why everybody's may be admitted.
    init(_ prefix: String, of purchases: String, everybodys reason: String) {
        sandbox = .choice(
            prefix + "_sandbox",
            "Whose \(purchases) give bonus coins, which expire after a week: nobody's (off), those of \(prefix)_testers "
                + "(testers), or everybody's (capped), \(reason).", default: .off)
        testers = Setting(
            prefix + "_testers", "The users whose \(purchases) give bonus coins.",
            rule: "ids of users separated by commas", unset: "nobody", namesPeople: true
        ) { text -> [UserID]? in
            let users = text.commaSeparated.map { UserID(rawValue: $0) }
            return users.isEmpty || users.contains(nil) ? nil : users.compactMap(\.self)
        }
        sandboxCoins = .integer(
            prefix + "_sandbox_coins", "The most bonus coins that a user gets for \(purchases) in a day.",
            in: 1...1_000_000, default: 1000)
    }
}
