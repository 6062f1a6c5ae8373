import ArgumentParser
import Foundation
import Ledger
import LedgerWire
import PGVerifier

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Buy coins once in a running development setup, and show the result.",
        discussion: """
            `./dev up` runs this command after the start of ledgerd and the sandbox gateway. The command waits until
            both respond, puts three products on sale if there are none, pays as demo-user, presents the receipt, and
            prints the journal entry with its postings. In the end it lists the addresses of the setup.
            """)

    @Option(help: "The URL of ledgerd (environment: LEDGERD_URL).") var url: String?
    @Option(help: "The URL of the sandbox gateway (environment: SANDBOX_URL).") var sandbox: String?
    @Option(help: "The access token of the buyer (environment: USER_TOKEN).") var token: String?
    @Option(help: "The maximum time to wait until both respond, such as 60s.") var wait = "60s"
    @Option(help: "The file with addresses and tokens, to be named in the list.") var environment: String?
    @Option(help: "What stops the setup, to be named in the list.") var stop: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let client = DevClient(
            ledgerd: try setting(url, "LEDGERD_URL", "--url"),
            sandbox: try setting(sandbox, "SANDBOX_URL", "--sandbox"),
            token: try setting(token, "USER_TOKEN", "--token"))
        guard let patience = DurationText.parse(wait) else {
            throw ValidationError("--wait must be a duration such as 60s.")
        }
        try await client.waitUntilReady(within: patience)
        let record = try await common.withLedger { ledger in
            try await DemoShop.open(ledger.products)
            return try await buy(client, ledger)
        }
        print(record.text)
        print("\n" + addresses(client).text)
    }

    /// Buys coins, prints the responses, and returns the journal entry.
    private func buy(_ client: DevClient, _ ledger: Ledger) async throws -> JournalRecord {
        let payment = try await client.pay(DemoShop.price)
        let receipt = try await client.present(payment)
        let balance = try await client.get("/v1/me/balance").decode(BalanceBody.self)
        print("\(balance.user) paid ₩\(DemoShop.price) at the sandbox gateway")
        print("POST /v1/receipts → \(receipt.status), balance: \(balance.total) coins")
        let statement = try await client.get("/v1/me/statement?limit=1").decode(LatestEntry.self)
        guard let id = statement.entries.first?.id, let record = try await ledger.journal.find(id) else {
            throw DevError("the purchase has no journal entry; this is a bug")
        }
        return record
    }

    private func setting(_ option: String?, _ variable: String, _ flag: String) throws -> String {
        guard let value = option ?? ProcessInfo.processInfo.environment[variable], !value.isEmpty else {
            throw ValidationError("\(variable) is not set: source dev.env, or give \(flag).")
        }
        return value
    }

    /// What the setup has; a setup without a shop or a console does not list it.
    private func addresses(_ client: DevClient) -> FramedList {
        let variables = ProcessInfo.processInfo.environment
        return FramedList([
            ("shop", variables["SHOP_URL"]),
            ("console", variables["LEDGERD_CONSOLE_URL"].map { $0 + "/console" }),
            ("API", client.ledgerd),
            ("API docs", client.ledgerd + "/docs"),
            ("sandbox", client.sandbox),
            ("examples", environment.map { "set -a; . \($0); set +a" }),
            ("stop", stop),
        ])
    }
}

/// The first entry of a statement.
private struct LatestEntry: Decodable {
    struct Entry: Decodable {
        let id: Int64

        enum CodingKeys: String, CodingKey {
            case id = "journal_entry_id"
        }
    }

    let entries: [Entry]
}

/// An error of the development setup.
struct DevError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension JournalRecord {
    /// The entry in bookkeeping format: debits first, credits indented.
    fileprivate var text: String {
        let width = (lines.map(\.account.count).max() ?? 0) + 10 + (lines.map { "\($0.amount)".count }.max() ?? 0)
        let rows = lines.map { line in
            let name = (line.side == .debit ? "Dr " : "   Cr ") + BookAccount.withoutStripe(line.account)
            let used = name.count + "\(line.amount)".count
            return "  \(name)\(String(repeating: " ", count: width - used))\(line.amount) \(line.currency.code)"
        }
        return "journal entry \(id), \(reference)\n" + rows.joined(separator: "\n")
    }
}
