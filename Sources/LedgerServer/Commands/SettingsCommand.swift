import ArgumentParser

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Print all settings as a commented-out environment file.",
        discussion: """
            The file is suitable for systemd's EnvironmentFile=, for containers (--env-file) and for shells. Remove \
            the # before the settings that you change.
            """)

    func run() { print(EnvironmentFile.text, terminator: "") }
}

/// All settings as commented lines of an environment file, with help, rule and default.
enum EnvironmentFile {
    static var text: String {
        ([header] + Settings.groups.flatMap { ["# --- \($0.title) ---\n"] + $0.settings.map(entry) })
            .joined(separator: "\n")
    }

    private static let header = """
        # The settings of ledgerd. Each has its default value, or no value if there is no default.
        # To change a setting, remove the # before it. `ledgerd serve --help` and ledgerd(8) have the same texts.
        #
        # Keep a secret in a separate file: set LEDGERD_…_FILE to its path, or, under systemd, store the secret in
        # /etc/ledgerd/credentials/ under the setting's name (such as jwt_secret); only the service can read it there.

        """

    private static func entry(_ setting: any SettingDeclaration) -> String {
        let lines = [
            "# \(setting.summary)", "# Must be \(setting.rule).", setting.unset.map { "# If not set: \($0)." },
            setting.isSecret ? "# A secret: use credentials/\(setting.name), or one of" : nil,
            "#\(setting.variable)=\(setting.defaultText ?? "")",
            setting.isSecret ? "#\(setting.fileVariable)=" : nil,
        ]
        return lines.compactMap(\.self).joined(separator: "\n") + "\n"
    }
}
