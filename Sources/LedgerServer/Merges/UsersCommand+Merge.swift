import ArgumentParser
import Ledger

extension UsersCommand {
    struct MergeOne: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract:
                "Merge a user into another one, or rename a user, or propose it to a second person above the limit.",
            discussion: """
                Without --reason it only shows what would move. All that the user has becomes the other's, and the old id \
                refers to the other from then on. There is no way back. The limit is LEDGERD_CONSOLE_GRANT_LIMIT, of coins and \
                owed coins of both; a proposal is decided in the console.
                """)

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @Option(help: "The id of the user that both are from then on.", transform: UserArgument.user) var into: UserID
        @Flag(help: "That id is new: the user is renamed.") var newUser = false
        @Option(help: "The reason.", transform: TextOption.text) var reason: String?
        @OptionGroup var proposing: ProposingOptions

        func run() async throws {
            guard let reason else { return try await preview() }
            try await proposing.order { [user, into, newUser] desk, beside in
                let ordered = try await desk.merge(
                    user, into: into, isNewUser: newUser, because: reason, beside: beside)
                return try await desk.line(ofMerging: user, into: into, ordered)
            }
        }

        private func preview() async throws {
            let (former, other, needsApproval) = try await proposing.settings.withTerminalDesk { [user, into] desk in
                try await desk.quote(merging: user, into: into)
            }
            print(
                "\(former.total) coins of \(user.rawValue) and \(former.debt) owed ones would move to \(into.rawValue),",
                "who has \(other.total) and owes \(other.debt)."
            )
            print(needsApproval ? "A second person has to approve it." : "One person can do it.", "Give --reason.")
        }
    }
}
