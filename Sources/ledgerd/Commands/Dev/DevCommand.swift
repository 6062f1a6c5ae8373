import ArgumentParser
import Foundation
import Ledger
import PGVerifier

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Buy coins once in a running development setup, and show the result.",
        discussion: """
            `./dev up` runs this command after the start of ledgerd and the sandbox gateway. The command waits until
            both respond, puts three products on sale if there are none, pays as demo-user, presents the receipt, and
            prints the response, the balance and the journal entry with its postings.
            """)

    @Option(help: "The URL of ledgerd (environment: LEDGERD_URL).") var url: String?
    @Option(help: "The URL of the sandbox gateway (environment: SANDBOX_URL).") var sandbox: String?
    @Option(help: "The access token of the buyer (environment: USER_TOKEN).") var token: String?
    @Option(help: "The maximum time to wait until both respond, such as 60s.") var wait = "60s"
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
        print(Self.whatToTry(client))
    }

    /// Buys coins, prints the responses, and returns the journal entry.
    private func buy(_ client: DevClient, _ ledger: Ledger) async throws -> JournalRecord {
        let payment = try await client.pay(DemoShop.price)
        print(
            "paid ₩\(DemoShop.price) at the sandbox gateway: imp_uid \(payment.impUID), merchant_uid \(payment.merchantUID)\n"
        )
        let receipt = try await client.present(payment)
        print("POST /v1/receipts → \(receipt.status)\n\(receipt.pretty)\n")
        print("GET /v1/me/balance → 200\n\(try await client.get("/v1/me/balance").pretty)\n")
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

    private static func whatToTry(_ client: DevClient) -> String {
        let variables = ProcessInfo.processInfo.environment
        let environment = variables["LEDGERD_DEV_ENV"] ?? ".ledgerd/dev.env"
        let admin = variables["ADMIN_URL"] == nil ? "LEDGERD_URL" : "ADMIN_URL"
        let shop = variables["SHOP_URL"].map { "Open \($0) in a browser: a demo shop that sells coins.\n" } ?? ""
        let console = variables["LEDGERD_CONSOLE_URL"].map { "\nThe console is at \($0)/console." } ?? ""
        return """

            \(shop)ledgerd listens at \(client.ledgerd), the sandbox gateway at \(client.sandbox).\(console)
            \(environment) has the URLs and tokens. Try:

              set -a; . \(environment); set +a
              curl -s $LEDGERD_URL/v1/products
              uid=try-$(date +%s)
              imp_uid=$(curl -s $SANDBOX_URL/sandbox/payments -H 'Content-Type: application/json' \\
                  -d "{\\"merchant_uid\\": \\"$uid\\", \\"amount\\": 5000}" | grep -o 'imp_[0-9][0-9]*')
              curl -s $LEDGERD_URL/v1/receipts -H "Authorization: Bearer $USER_TOKEN" \\
                  -H 'Content-Type: application/json' \\
                  -d "{\\"imp_uid\\": \\"$imp_uid\\", \\"merchant_uid\\": \\"$uid\\"}"
              curl -s $LEDGERD_URL/v1/me/balance -H "Authorization: Bearer $USER_TOKEN"
              curl -s $LEDGERD_URL/v1/me/purchases -H "Authorization: Bearer $USER_TOKEN"
              curl -s $LEDGERD_URL/v1/users/demo-user/balance -H "Authorization: Bearer $SERVICE_TOKEN"
              curl -s $\(admin)/metrics
            """
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
            let name = (line.side == .debit ? "Dr " : "   Cr ") + line.account
            let used = name.count + "\(line.amount)".count
            return "  \(name)\(String(repeating: " ", count: width - used))\(line.amount) \(line.currency.code)"
        }
        return "journal entry \(id), \(reference)\n" + rows.joined(separator: "\n")
    }
}
