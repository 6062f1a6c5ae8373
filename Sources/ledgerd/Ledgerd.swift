import ArgumentParser

/// The binary: what it can be told to do.
@main
struct Ledgerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledgerd",
        abstract: "Payments become coins, exactly once.",
        discussion: "A payments and coin-ledger service on PostgreSQL.",
        version: BuildInfo.current.text,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, ProductsCommand.self, VerifyCommand.self, ReconcileCommand.self,
            SettlementCommand.self, ExportCommand.self, CloseCommand.self, SealCommand.self, DoctorCommand.self,
            TokenCommand.self, SettingsCommand.self, InitCommand.self, CheckCommand.self, HealthCommand.self,
            DevCommand.self,
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

    /// Tells what is wrong with an option, and how the command that it was given to is used.
    ///
    /// `exit(withError:)` does so for what is found while options are read; of what a command finds later it can't tell
    /// which command it was.
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
