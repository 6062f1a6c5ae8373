import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "./dev bench",
        abstract: "Measures ledgerd on this machine.",
        discussion: "Figures of one run may be compared with each other; the machine decides what they are.",
        subcommands: [EngineBench.self],
        defaultSubcommand: EngineBench.self)
}
