import ArgumentParser
import Ledger

struct SealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Seal the books: sign what they are, to prove it later.",
        discussion: """
            `ledgerd serve` seals every day by itself when it has a key. Keep the files elsewhere: \
            `ledgerd doctor --seal FILE` then proves that the books still hold exactly what was sealed.
            """,
        subcommands: [Make.self, KeyGen.self], defaultSubcommand: Make.self)

    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Seal the books now, and write the seal.")

        @Option(help: "The file to write (default: standard output).") var output = "-"
        @Flag(help: "Replace the file if it is there.") var force = false
        @OptionGroup var settings: SettingFlags<SealSettings>

        func run() async throws {
            let key = try settings.values().required(Settings.books.sealKey)
            let file = try OutputFile(output, isForced: force)
            let kept = try await settings.withLedger { try await $0.seals.make(with: key) }
            guard let kept else { throw LedgerError.unexpected("a seal was not made") }
            try file.write(Array(try kept.seal.file))
            try file.complete()
            let statement = kept.seal.content
            StandardError.print(
                "sealed \(statement.entries) entries, head \(statement.head), key \(kept.seal.publicKey.id)")
        }
    }

    struct KeyGen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keygen", abstract: "Make a key, and print its secret and its public half.",
            discussion: "The secret is for the service alone; the public half is for whoever checks seals.")

        func run() {
            let key = SealKey()
            print("LEDGERD_SEAL_KEY=\(key.base64)\n# --public-key \(key.publicKey.base64), id \(key.publicKey.id)")
        }
    }
}

enum SealSettings: SettingList {
    static let settings = CommonSettings.settings + [Settings.books.sealKey]
}
