import ArgumentParser
import Ledger
import LedgerWire

extension UsersCommand {
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask to forget a user, or show the request that waits.",
            discussion: """
                After forgetting_wait, and when nothing of the user is open, `ledgerd serve` erases texts about the user and \
                puts an id that nobody can guess in the place of theirs. The books stay. A repeat changes nothing.
                """)

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @Option(help: "The reason (default: the request is only shown).", transform: TextOption.text) var reason:
            String?
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<ForgettingCommandSettings>

        func run() async throws {
            try JSONOutput.show(
                try await settings.withForgetting { acts in
                    if let reason { return try await acts.ask(of: user, because: reason, by: person.name) }
                    guard let found = try await acts.find(of: user) else {
                        throw Refused("nobody asked to forget the user")
                    }
                    return found
                })
        }
    }

    struct CancelForgetting: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel-forgetting", abstract: "Cancel the request to forget a user.",
            discussion: "Nobody who was forgotten comes back. A repeat changes nothing.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<ForgettingCommandSettings>

        func run() async throws {
            try JSONOutput.show(try await settings.withForgetting { try await $0.cancel(of: user, by: person.name) })
        }
    }

    struct KeptID: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "kept-id", abstract: "Show the id that a forgotten user had, while it must be kept.",
            discussion: """
                For records of payments and complaints that somebody has a right to see. It needs the setting forgetting_key.
                """)

        @Argument(help: "The id that took the place of the user's.", transform: UserArgument.user) var user: UserID
        @OptionGroup var settings: SettingFlags<ForgettingCommandSettings>

        func run() async throws {
            let key = try settings.values().required(Settings.personalData.forgettingKey)
            guard let kept = try await settings.withLedger({ try await $0.forgettings.kept(of: user) }) else {
                throw Refused("nothing is kept of this user")
            }
            guard let id = key.decrypted(kept) else {
                throw Refused("the id is kept with key \(kept.keyName), and forgetting_key is \(key.name)")
            }
            print(id.rawValue)
        }
    }

    struct KeyGen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keygen", abstract: "Create a key for what is kept of forgotten users, and print it.",
            discussion: "Keep it apart from backups of the database.")

        func run() { print("LEDGERD_FORGETTING_KEY=\(ForgettingKey().base64)") }
    }
}

/// The settings of commands that forget users.
enum ForgettingCommandSettings: SettingList {
    static let settings = CommonSettings.settings + Settings.personalData.settings
}

extension SettingFlags<ForgettingCommandSettings> {
    fileprivate func withForgetting<Output: Sendable>(
        _ body: @escaping @Sendable (ForgettingActs) async throws -> Output
    ) async throws -> Output {
        let rules = try ForgettingRules(try values())
        return try await withLedger { try await body(ForgettingActs(ledger: $0, rules: rules)) }
    }
}
