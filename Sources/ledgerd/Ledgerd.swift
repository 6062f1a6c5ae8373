import ArgumentParser

@main
struct Ledgerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ledgerd")
}
