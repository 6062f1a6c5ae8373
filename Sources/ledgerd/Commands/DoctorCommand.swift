import ArgumentParser
import Ledger
import Postgres

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Examine the books, and name everything that is wrong with them.",
        discussion: """
            All is added up anew from the postings, in one snapshot, while the service goes on; nothing is changed. \
            Exits 0 when the books are sound, 1 when something is wrong, 2 when they could not be examined.
            """)

    @Flag(help: "Write one JSON object.")
    var json = false

    @Option(help: "How many deviations of each kind are named, 1 to 10000; all are counted.")
    var limit = 20

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000.") }
    }

    func run() async throws {
        let diagnosis: Diagnosis
        do {
            diagnosis = try await examine()
        } catch {
            StandardError.print("Error: \(CommandFailure(error)?.description ?? "\(error)")")
            throw ExitCode(2)
        }
        print(json ? try DiagnosisBody(diagnosis).text : diagnosis.text)
        if !diagnosis.isSound { throw ExitCode(1) }
    }

    private func examine() async throws -> Diagnosis {
        let url = try common.values().required(ConfigurationKeys.databaseURL)
        let doctor = Doctor(try PostgresConfiguration(url: url))
        let isWatched = StandardError.isTerminal
        defer { if isWatched { StandardError.replaceLine("") } }
        return try await doctor.examine(naming: limit) { progress in
            if isWatched { StandardError.replaceLine("\(progress.number)/\(progress.count) \(progress.code)") }
        }
    }
}
