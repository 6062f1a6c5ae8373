import ArgumentParser
import FoundationEssentials

/// The flags that every command with settings takes.
struct CommonOptions: ParsableArguments {
    @Option(help: "A JSON file of settings, one object with the keys as members (environment: LEDGERD_CONFIG).")
    var config: String?
    @Option(name: .customLong(ConfigurationKeys.databaseURL.flag), help: ConfigurationKeys.databaseURL.help)
    var databaseURL: String?
    @Option(help: ConfigurationKeys.logLevel.help)
    var logLevel: String?
    @Option(help: ConfigurationKeys.logFormat.help)
    var logFormat: String?

    /// The settings given as flags, by key name.
    var flags: [String: String?] {
        [
            ConfigurationKeys.databaseURL.name: databaseURL, ConfigurationKeys.logLevel.name: logLevel,
            ConfigurationKeys.logFormat.name: logFormat,
        ]
    }

    /// The settings: these flags, then the environment, then the file.
    ///
    /// - Parameter more: the flags of the command's other option groups.
    func values(
        adding more: [String: String?] = [:], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> ConfigurationValues {
        try ConfigurationValues(
            flags: flags.merging(more) { $1 }, environment: environment, file: config ?? environment["LEDGERD_CONFIG"])
    }
}
