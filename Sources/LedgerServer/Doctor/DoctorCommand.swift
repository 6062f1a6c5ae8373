import ArgumentParser
import Foundation
import Ledger
import LedgerWire
import Postgres

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the books and list all deviations.",
        discussion: """
            The command recomputes all totals from the postings, in one snapshot, while the service runs. It changes \
            nothing. With replica_url, the books of a standby are checked. With --seal it also proves that the sealed entries have not changed. \
            Exit status: 0 if the books are sound, 1 if there are deviations, 2 if the check failed.
            """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: "The maximum number of listed deviations per kind, 1 to 10000; all are counted.")
    var limit = 20

    @Option(
        help: "The file of a seal: check that the sealed entries have not changed. Keep seals outside the database.",
        completion: .file())
    var seal: String?

    @Option(
        help: """
            The public key of the seal's signature, in base64 (default: the public key of the setting seal_key or, \
            without it, the one in the seal).
            """)
    var publicKey: String?

    @OptionGroup var settings: SettingFlags<BooksSettings>

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000.") }
        guard publicKey == nil || seal != nil else { throw ValidationError("--public-key requires --seal.") }
        _ = try SealPublicKey.given(publicKey)
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
        let values = try settings.values()
        let doctor = Doctor(try values.booksSource)
        let seal = try seal.map(Seal.init(path:))
        let key = try SealPublicKey.given(publicKey) ?? values[Settings.books.sealKey]?.publicKey
        if seal != nil, key == nil {
            StandardError.print("Warning: the seal is checked with the key in the seal itself; give --public-key")
        }
        let isWatched = StandardError.isTerminal
        defer { if isWatched { StandardError.replaceLine("") } }
        return try await doctor.examine(against: seal, trusting: key, naming: limit) { progress in
            if isWatched { StandardError.replaceLine(progress.line) }
        }
    }
}

extension Doctor.Progress {
    /// The progress for a terminal.
    fileprivate var line: String {
        let done = part.map { " \(Int($0 * 100)) %" } ?? ""
        return "\(number)/\(count) \(code)\(done)"
    }
}
