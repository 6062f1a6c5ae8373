package import ArgumentParser
import Foundation
import Logging

/// Serves, with the pages for people that the program hands in: the console.
package struct ServeCommand<Pages: AdminPages>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve", abstract: "Serve the HTTP API.",
            discussion: """
                Every option is also an environment variable and a key of the configuration file. Options override the
                environment, which overrides the file. SIGTERM or SIGINT stops the service: it refuses new requests,
                finishes running ones and commits waiting acts.
                """)
    }

    @OptionGroup var settings: SettingFlags<ServeSettings>

    package init() {}

    package func run() async throws {
        let configuration = try ServeConfiguration(try settings.values())
        try configuration[Settings.log.format].bootstrap(level: configuration[Settings.log.level])
        try await Serving(
            configuration, pages: Pages.self, logger: Logger(label: "ledgerd"),
            manager: ServiceManager(environment: ProcessInfo.processInfo.environment)
        ).run { _ in ProgramCode.giveBackPages() }
    }
}
