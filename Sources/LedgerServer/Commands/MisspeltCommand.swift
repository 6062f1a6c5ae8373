package import ArgumentParser

/// A command that does not exist, and the one that was probably meant.
package struct MisspeltCommand: CustomStringConvertible {
    /// What was typed.
    private let typed: String
    /// The whole command, such as `ledgerd disputes decide`.
    private let meant: String

    package var description: String { "unknown command '\(typed)'; did you mean '\(meant)'?" }

    /// Finds the first word that is no command where one is expected; nil: there is none, or none is similar.
    ///
    /// - Parameter arguments: those of the program, without its name. Only the words before the first option are read.
    package init?(_ arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var (command, path) = (root, [root._commandName])
        for word in arguments {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = known.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            guard word != "help", let nearest = NearestName.find(word, among: known.map { $0._commandName }) else {
                return nil
            }
            typed = word
            meant = (path + [nearest]).joined(separator: " ")
            return
        }
        return nil
    }
}
