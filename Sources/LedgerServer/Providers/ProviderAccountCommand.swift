import ArgumentParser
import Foundation
import Ledger
import LedgerWire

/// The bank accounts of providers, at a terminal.
///
/// Accounts are read from a file: arguments stand in the shell's history and in the list of processes.
struct ProviderAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Propose, approve and erase the bank accounts that payouts go to.",
        discussion: """
            One person proposes accounts, and another one approves them with a list of their own: only an account with the \
            same bank, number and holder is approved. See docs/providers.md.
            """,
        subcommands: [List.self, Propose.self, Approve.self, Erase.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a provider's accounts, what waits and is in force first, or all that wait for approval.")

        @Argument(help: "The provider's id (default: those that wait).", transform: ProviderArgument.provider)
        var provider: UserID?
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                guard let provider else { return try await ledger.providers.waitingAccounts(limit: list.limit) }
                return try await ledger.providers.shownAccounts(of: provider, limit: list.limit)
            }
            try list.show(found, ProviderAccount.columns, row: \.row) { ProviderAccountBody($0) }
        }
    }

    struct Propose: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Propose the accounts of a list; another proposal for the same provider is withdrawn by that.")

        @OptionGroup var accounts: AccountListOption
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (list, by) = (try accounts.list(), TerminalDesk.prefix + person.name)
            try await common.withLedger { ledger in
                for provider in list.providers {
                    guard let account = list[provider] else { continue }
                    switch try await ProviderActs(ledger: ledger).propose(account, of: provider, by: by) {
                    case .proposed(let kept): print("\(provider.rawValue): account \(kept.id) waits for another person")
                    case .inForce(let kept): print("\(provider.rawValue): account \(kept.id) is in force already")
                    }
                }
            }
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approve the accounts that another person proposed, if they are those of a list.")

        @OptionGroup var accounts: AccountListOption
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (list, by) = (try accounts.list(), TerminalDesk.prefix + person.name)
            let left = try await common.withLedger { ledger in
                var left = 0
                for provider in list.providers {
                    do {
                        print("\(provider.rawValue): \(try await approve(list, provider, by, in: ledger))")
                    } catch let fault as InputFault {
                        StandardError.print("\(provider.rawValue): \(fault.field) \(fault.rule)")
                        left += 1
                    } catch let problem as Problem {
                        StandardError.print("\(provider.rawValue): \(CommandFailure(problem)?.description ?? "")")
                        left += 1
                    }
                }
                return left
            }
            if left > 0 { throw ExitCode(1) }
        }

        private func approve(
            _ list: PayoutAccounts, _ provider: UserID, _ by: String, in ledger: Ledger
        ) async throws -> String {
            guard let account = list[provider] else { throw Problem(.notFound, "the list has no account") }
            let approved = try await ProviderActs(ledger: ledger).approveAccount(
                .whole(account), of: provider, by: by)
            return "account \(approved.id) is in force"
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase the accounts of a provider, in force and proposed.")

        @Argument(help: "The provider's id.", transform: ProviderArgument.provider) var provider: UserID
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let erased = try await common.withLedger { ledger in
                try await ProviderActs(ledger: ledger).eraseAccounts(
                    of: provider, by: TerminalDesk.prefix + person.name)
            }
            print("\(provider.rawValue): \(erased) accounts erased")
        }
    }
}

/// The option that names a list of accounts.
struct AccountListOption: ParsableArguments {
    @Option(
        help: "A CSV file with the columns provider, bank, account and holder.", completion: .file())
    var accounts: String

    /// - Throws: ``Refused`` with the line, without what it says.
    func list() throws -> PayoutAccounts { try Self.list(of: accounts) }

    static func list(of path: String) throws -> PayoutAccounts {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ValidationError("\(path) can't be read.")
        }
        do { return try PayoutAccounts([UInt8](data)) } catch { throw Refused("\(path): \(error)") }
    }
}

extension ProviderAccount {
    fileprivate static let columns: [TextTable.Column] = [
        .number("ID"), .text("PROVIDER"), .text("STATUS"), .text("BANK"), .text("NUMBER"), .text("HOLDER"),
        .text("PROPOSED BY"), .text("APPROVED BY"), .text("ENDED BY"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(id), .init(provider.rawValue), .init(status.rawValue), .init(account?.bank ?? "-"),
            .init(account.map { "…\($0.numberEnd)" } ?? "-"), .init(account?.holder ?? "-"), .init(proposedBy),
            .init(approvedBy ?? "-"), .init(endedBy ?? "-"),
        ]
    }
}
