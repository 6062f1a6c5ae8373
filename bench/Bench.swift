import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "./dev bench",
        abstract: "Measures ledgerd on this machine.",
        discussion: """
            Without a command everything is measured. Figures of one run may be compared with each other; the machine
            decides what they are.
            """,
        subcommands: [
            All.self, EngineBench.self, CopyBench.self, ReceiptsBench.self, MixedBench.self, ExportBench.self,
        ],
        defaultSubcommand: All.self)

    struct All: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "all", abstract: "Everything, one after the other.")

        func run() async throws {
            try await EngineBench.parse([]).run()
            try await EngineBench.parse(["--writers", "2", "--batches", "1024"]).run()
            try await CopyBench.parse([]).run()
            try await ReceiptsBench.parse([]).run()
            try await MixedBench.parse([]).run()
            try await ExportBench.parse([]).run()
        }
    }
}
