import ArgumentParser
import FoundationEssentials

/// Tests a configuration; the program hands in the console, which tests how people sign in to it.
struct CheckCommand<Pages: AdminPages>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check", abstract: "Test a configuration before it serves.",
            discussion: """
                Takes the settings of `ledgerd serve`, and tests all of them: the settings themselves, the database, its TLS, \
                role, rights, migrations and clock, the standby of replica_url, the keys, TLS and clock of each gateway, \
                webhooks, token keys, the sign-in to the console, seal key, sweep, reconciliation, and whether the addresses \
                are free. One failure does not stop the others. Nothing is changed, and no secret is printed. Exits 0 when \
                the service can start, with or without warnings, and 1 when something failed.
                """)
    }

    @Flag(help: "Write one JSON object.")
    var json = false

    @Option(help: "How long each test may take, such as 10s.")
    var timeout = "10s"

    @OptionGroup var settings: SettingFlags<ServeSettings>

    func run() async throws {
        guard let limit = DurationText.parse(timeout), limit > .zero else {
            throw ValidationError("--timeout must be a duration such as 10s.")
        }
        let report = CheckReport(await results(limit))
        print(json ? try report.json : report.table())
        if report.failed > 0 { throw ExitCode.failure }
    }

    private func results(_ limit: Duration) async -> [CheckResult] {
        var environment = ProcessInfo.processInfo.environment
        let unknown = ConfigurationSource.unknown(in: environment)
        let misspelt = unknown.map { name in
            CheckResult.failed(
                SettingChecks.name,
                ConfigurationError.unknown(
                    "\(name) (environment)", setting: name, among: ConfigurationSource.knownVariables))
        }
        for name in unknown { environment[name] = nil }
        do {
            let values = try settings.values(environment: environment)
            return await ConfigurationChecks(values: values, pages: Pages.self, limit: limit).run(afterwards: misspelt)
        } catch {
            return misspelt + [.failed(SettingChecks.name, error)]
        }
    }
}
