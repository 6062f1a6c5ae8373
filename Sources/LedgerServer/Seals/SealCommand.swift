import ArgumentParser
import Ledger

struct SealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Sign the present state of the books, to prove it later.",
        discussion: """
            `ledgerd serve` seals the books every day if seal_key is set. Keep the files outside the database: \
            `ledgerd doctor --seal FILE` then proves that the sealed entries have not changed.
            """,
        subcommands: [Make.self, KeyGen.self], defaultSubcommand: Make.self)

    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Seal the books now, and write the seal to a file.")

        @Option(help: "The output file (default: standard output).") var output = "-"
        @Flag(help: "Replace an existing file.") var force = false
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
            commandName: "keygen", abstract: "Create a key pair, and print the secret key and the public key.",
            discussion: "Give the secret key only to the service, and the public key to everybody who checks seals.")

        func run() {
            let key = SealKey()
            print("LEDGERD_SEAL_KEY=\(key.base64)\n# --public-key \(key.publicKey.base64), id \(key.publicKey.id)")
        }
    }
}

enum SealSettings: SettingList {
    static let settings = CommonSettings.settings + [Settings.books.sealKey]
}
