import ArgumentParser

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Print every setting, commented out, as an environment file.",
        discussion: """
            The file is one for systemd's EnvironmentFile=, for containers (--env-file) and for shells: remove the # of \
            the settings that you change.
            """)

    func run() { print(EnvironmentFile.text, terminator: "") }
}

/// Every setting as a commented line of an environment file, with what it sets, its rule and its default.
enum EnvironmentFile {
    static var text: String {
        ([header] + Settings.groups.flatMap { ["# --- \($0.title) ---\n"] + $0.settings.map(entry) })
            .joined(separator: "\n")
    }

    private static let header = """
        # The settings of ledgerd. Each is shown with its default, or without a value if it has none.
        # To change one, remove the # before it. `ledgerd serve --help` and ledgerd(8) tell the same.
        #
        # A secret is best kept in a file of its own: name the file in LEDGERD_…_FILE, or, under systemd, put it into
        # /etc/ledgerd/credentials/ under the setting's name (such as jwt_secret), from where only the service gets it.

        """

    private static func entry(_ setting: any SettingDeclaration) -> String {
        let lines = [
            "# \(setting.summary)", "# Must be \(setting.rule).", setting.unset.map { "# If not set: \($0)." },
            setting.isSecret ? "# A secret: credentials/\(setting.name), or one of" : nil,
            "#\(setting.variable)=\(setting.defaultText ?? "")",
            setting.isSecret ? "#\(setting.fileVariable)=" : nil,
        ]
        return lines.compactMap(\.self).joined(separator: "\n") + "\n"
    }
}
