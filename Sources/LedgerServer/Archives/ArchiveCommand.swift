import ArgumentParser
import CivilTime
import Ledger

struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Write closed years to files that prove themselves, and check them.",
        discussion: """
            An archive has the journal entries between two seals, in JSON Lines. It is checked without the database. \
            The entries stay in the books.
            """,
        subcommands: [Write.self, Check.self], defaultSubcommand: Write.self)

    struct Write: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the entries between two seals.",
            discussion: """
                For a year: close it, run `ledgerd seal --output FILE`, and write an archive from the seal of the year before to \
                this one. It has what was recorded between them, so the first days of the next year are in it. A file gets its \
                name only when it is complete, and when its entries are those that were sealed.
                """)

        @Option(
            help: "The file of the seal that the archive before ends with (default: begin with the first entry).",
            completion: .file())
        var after: String?
        @Option(
            help: "The file of the seal that the archive ends with (default: the last seal of the database).",
            completion: .file())
        var through: String?
        @Option(help: "The output file; - for standard output.") var output = "-"
        @Flag(help: "Replace an existing file.") var force = false
        @Flag(help: "Compress the output with gzip.") var gzip = false
        @OptionGroup var settings: SettingFlags<BooksSettings>

        func run() async throws {
            let (opening, closing) = (try after.map(Seal.init(path:)), try through.map(Seal.init(path:)))
            let archives = Archives(try settings.values().booksSource)
            let file = try OutputFile(output, isForced: force)
            let compressor = gzip ? Gzip() : nil
            let isWatched = StandardError.isTerminal
            let head = try await archives.write(after: opening, through: closing) { written, all in
                if isWatched { StandardError.replaceLine("\(written) of \(all) entries") }
            } to: { part in
                try file.write(compressor?.compress(part) ?? part)
            }
            if let end = compressor?.finish() { try file.write(end) }
            try file.complete()
            if isWatched { StandardError.replaceLine("") }
            StandardError.print("archived \(head.summary)")
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prove an archive by its seals, without the database.",
            discussion: """
                Exit status: 0 if the entries are those that were sealed, 1 if they are not, 2 if the file can't be read. \
                For a compressed archive: gunzip -c FILE | ledgerd archive check -
                """)

        @Argument(help: "The file; - for standard input.", completion: .file()) var file: String
        @Option(
            help: """
                The public key of the seals, in base64; repeat it if the key changed between them (default: the one in \
                each seal, with a warning).
                """)
        var publicKey: [String] = []
        @Flag(help: "Show the balances before and after the entries, by kind of account, as the seals have them.")
        var totals = false

        func validate() throws { _ = try keys() }

        func run() throws {
            let keys = try keys()
            let found: (examination: ArchiveExamination, faults: [ArchiveFault])
            do {
                found = try examine(trusting: keys)
            } catch {
                StandardError.print("Error: \(error)")
                throw ExitCode(2)
            }
            if keys.isEmpty {
                StandardError.print("Warning: the seals are checked with the keys in the seals; give --public-key")
            }
            for fault in found.faults { StandardError.print("Error: \(fault)") }
            guard found.faults.isEmpty else { throw ExitCode(1) }
            print("holds: \(found.examination.head.summary)\(found.examination.period)")
            if totals { print(found.examination.head.totals) }
        }

        /// - Throws: when the file can't be read, or is no archive.
        private func examine(trusting keys: [SealPublicKey]) throws -> (ArchiveExamination, [ArchiveFault]) {
            let lines = try LineReader(file)
            let first = try lines.next() ?? []
            guard !first.starts(with: Self.gzipMark) else {
                throw Refused("the archive is compressed: gunzip -c FILE | ledgerd archive check -")
            }
            var examination = try ArchiveExamination(head: first)
            do {
                while let line = try lines.next() { try examination.add(line) }
            } catch let fault as ArchiveFault {
                return (examination, [fault])
            }
            return (examination, examination.faults(trusting: keys))
        }

        /// The first bytes of a file in gzip.
        private static let gzipMark: [UInt8] = [0x1f, 0x8b]

        private func keys() throws -> [SealPublicKey] { try publicKey.compactMap(SealPublicKey.given) }
    }
}

extension ArchiveHead {
    /// Which entries, and the seals before and after them: an archive goes on where the one before ends if it begins with the
    /// seal with which that one ends.
    fileprivate var summary: String {
        let range = entries == 0 ? "no entries" : "entries \(first) to \(closing.content.entries)"
        let begin = opening.map { ", after the seal of \(RFC3339.string(from: $0.content.sealedAt))" } ?? ""
        let end = "sealed at \(RFC3339.string(from: closing.content.sealedAt)) with key \(closing.publicKey.id)"
        return "\(range)\(begin), \(end)"
    }
}

extension ArchiveHead {
    private static let columns: [TextTable.Column] = [
        .text("account"), .text("currency"), .number("before"), .number("debits"), .number("credits"), .number("after"),
    ]

    /// A table of the kinds of accounts: balances are debits less credits.
    fileprivate var totals: String {
        let sealedBefore = (opening?.content.totals ?? []).map { ($0.account, $0.total) }
        let before = Dictionary(sealedBefore) { first, _ in first }
        return TextTable.text(
            Self.columns,
            closing.content.totals.map { account, after in
                let before = before[account] ?? .zero
                // Nothing that a file says can end the process.
                let (debits, credits) = (after.debits &- before.debits, after.credits &- before.credits)
                return [
                    .init(account.name), .init(account.currency), .init(before.debits &- before.credits), .init(debits),
                    .init(credits), .init(after.debits &- after.credits),
                ]
            })
    }
}

extension ArchiveExamination {
    fileprivate var period: String {
        guard let recordedAt else { return "" }
        let (from, to) = (RFC3339.string(from: recordedAt.lowerBound), RFC3339.string(from: recordedAt.upperBound))
        return ", recorded from \(from) to \(to)"
    }
}
