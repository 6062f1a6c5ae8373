import ArgumentParser

/// The program and its commands.
@main
struct Ledgerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledgerd",
        abstract: "A payments and coin-ledger service on PostgreSQL.",
        discussion: "ledgerd verifies payments at the payment gateway and credits coins exactly once.",
        version: BuildInfo.current.text,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, ProductsCommand.self, VerifyCommand.self, ReconcileCommand.self,
            SettlementCommand.self, ExportCommand.self, CloseCommand.self, SealCommand.self, EventsCommand.self,
            EndpointsCommand.self, DoctorCommand.self,
            DrillCommand.self, TokenCommand.self, SettingsCommand.self, InitCommand.self, CheckCommand.self,
            HealthCommand.self, DevCommand.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                refuse(error, of: type(of: command))
            }
        } catch {
            exit(withError: CommandFailure(error) ?? error)
        }
    }

    /// Prints an error of an option, with the usage of its command.
    ///
    /// `exit(withError:)` does the same for errors of parsing. For an error that a command throws later, it does not know
    /// the command.
    private static func refuse(_ error: ValidationError, of command: any ParsableCommand.Type) -> Never {
        StandardError.print("Error: \(error.message)\n\(usage(of: command))")
        exit(withError: ExitCode.validationFailure)
    }

    private static func usage(of command: any ParsableCommand.Type) -> String {
        let usage = usageString(for: command)
        let name = usage.prefix { $0 != "-" && $0 != "[" && $0 != "<" }.split(separator: " ")
        return "Usage: \(usage)\n  See '\(name.joined(separator: " ")) --help' for more information."
    }
}
