import ArgumentParser

/// The binary: what it can be told to do.
@main
struct Ledgerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledgerd",
        abstract: "Payments become coins, exactly once.",
        discussion: "A payments and coin-ledger service on PostgreSQL.",
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, MigrateCommand.self, ProductsCommand.self, VerifyCommand.self, ReconcileCommand.self,
            SettlementCommand.self, ExportCommand.self, CloseCommand.self, SealCommand.self, DoctorCommand.self,
            TokenCommand.self, DevCommand.self, SandboxCommand.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: CommandFailure(error) ?? error)
        }
    }
}
