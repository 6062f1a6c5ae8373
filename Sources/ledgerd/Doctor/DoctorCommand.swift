import ArgumentParser
import Foundation
import Ledger
import Postgres

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Examine the books, and name everything that is wrong with them.",
        discussion: """
            All is added up anew from the postings, in one snapshot, while the service goes on; nothing is changed. \
            With --seal it also proves that nothing that was sealed has changed since. \
            Exits 0 when the books are sound, 1 when something is wrong, 2 when they could not be examined.
            """)

    @Flag(help: "Write one JSON object.")
    var json = false

    @Option(help: "How many deviations of each kind are named, 1 to 10000; all are counted.")
    var limit = 20

    @Option(
        help: "A seal of the books, kept elsewhere: it is proved that the books still hold exactly what was sealed.",
        completion: .file())
    var seal: String?

    @Option(
        help: """
            The key that must have signed the seal, in base64 (default: the one that belongs to the setting seal_key or, \
            without it, the one that the seal names itself).
            """)
    var publicKey: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000.") }
        guard publicKey == nil || seal != nil else { throw ValidationError("--public-key is for checking a --seal.") }
        _ = try givenKey()
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
        let values = try common.values()
        let doctor = Doctor(try PostgresConfiguration(url: try values[Settings.database.databaseURL]))
        let seal = try seal.map(readSeal)
        let key = try givenKey() ?? values[Settings.books.sealKey]?.publicKey
        if seal != nil, key == nil {
            StandardError.print("Warning: the seal is checked with the key that it names itself: give --public-key")
        }
        let isWatched = StandardError.isTerminal
        defer { if isWatched { StandardError.replaceLine("") } }
        return try await doctor.examine(against: seal, trusting: key, naming: limit) { progress in
            if isWatched { StandardError.replaceLine(progress.line) }
        }
    }

    private func givenKey() throws -> SealPublicKey? {
        guard let publicKey else { return nil }
        guard let key = SealPublicKey(base64: publicKey) else {
            throw ValidationError("--public-key must be 32 bytes in base64, as `ledgerd seal keygen` prints them.")
        }
        return key
    }

    private func readSeal(_ path: String) throws -> Seal {
        guard let data = FileManager.default.contents(atPath: path) else { throw Unreadable("\(path) can't be read") }
        guard let seal = Seal(file: data) else { throw Unreadable("\(path) is not a seal of the books") }
        return seal
    }

    private struct Unreadable: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}

extension Doctor.Progress {
    /// For a terminal.
    fileprivate var line: String {
        let done = part.map { " \(Int($0 * 100)) %" } ?? ""
        return "\(number)/\(count) \(code)\(done)"
    }
}
