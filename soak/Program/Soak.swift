import ArgumentParser
import Foundation
import SoakHistory

@main
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "./dev soak",
        abstract: "Runs clients against two ledgerd and a highly available database while faults are injected.",
        discussion: """
            Afterwards everything that the clients were told is compared with the books: acknowledged acts are there \
            once, wallets are what their acts come to, balances were true when they were read, the gateway agrees, and \
            doctor and seal are sound on every node.

            Faults: \(Fault.allCases.map(\.rawValue).joined(separator: ", ")).

            The exit code is 1 if anything is violated. The history is kept in a file, which --check reads again.
            """)

    @Option(help: "How long faults are injected, in minutes.") var minutes = 60.0
    @Option(help: "The seed of faults and clients.") var seed: UInt64?
    @Option(help: "Only these faults, separated by commas; none: no faults.") var faults: String?
    @Option(help: "Stop after this number of faults.") var count: Int?
    @Option(help: "The number of clients.") var clients = 24
    @Option(help: "The pause of a client between two requests, in milliseconds at most.") var pause = 60
    @Option(help: "The file of the run's history and books.") var history = "soak.json"
    @Option(help: "Only check the history in this file.") var check: String?
    @Option(help: ArgumentHelp("The environment of the run.", visibility: .hidden)) var environment: String?
    @Option(help: ArgumentHelp("The program that controls the nodes.", visibility: .hidden)) var cluster: String?

    func validate() throws {
        guard minutes > 0, clients >= 2, pause >= 1, count ?? 1 >= 1 else {
            throw ValidationError("numbers must be positive, and there are at least 2 clients")
        }
        _ = try kinds()
    }

    func run() async throws {
        if let check {
            try Report(try Record(file: check)).print()
            return
        }
        guard let environment, let cluster else { throw ValidationError("start it with ./dev soak") }
        let seed = seed ?? .random(in: 1...999_999)
        show("seed \(seed), \(minutes) minutes, \(clients) clients")
        let stage = try await Stage(environment: environment, cluster: cluster)
        let run = Run(
            stage: stage, seed: seed, minutes: minutes, faults: try kinds(), count: count, clients: clients,
            pause: .milliseconds(pause))
        let record = await run.record()
        try record.write(to: history)
        try Report(record).print()
    }

    private func kinds() throws -> [Fault] {
        guard let faults else { return Fault.allCases }
        if faults == "none" { return [] }
        return try faults.split(separator: ",").map { name in
            guard let fault = Fault(rawValue: String(name)) else { throw ValidationError("unknown fault: \(name)") }
            return fault
        }
    }
}
