package import Foundation
import Postgres
import Timing

extension Providers {
    /// The result of proposing an account.
    package enum AccountProposed: Sendable, Equatable {
        /// It waits for another person, now or since the same was proposed before.
        case proposed(ProviderAccount)
        /// It is in force already.
        case inForce(ProviderAccount)
    }

    /// Proposes the bank account that payouts to a provider go to; another one that is proposed is withdrawn by that.
    ///
    /// - Parameter person: the caller.
    package func propose(
        _ account: BankAccount, of provider: UserID, by person: String
    ) async throws(LedgerError) -> AccountProposed {
        try await changingAccount(of: provider) { connection in
            let kept = try connection.run(ProviderAccount.kept(of: [provider]))
            if let same = kept.first(where: { $0.status == .proposed && $0.account == account }) {
                return .proposed(same)
            }
            // Somebody who proposes what is in force wants to keep it.
            _ = try connection.run(ProviderAccount.end(of: provider, [.proposed], by: person))
            if let same = kept.first(where: { $0.status == .approved && $0.account == account }) {
                return .inForce(same)
            }
            return .proposed(try connection.run(ProviderAccount.insert(account, provider, by: person)))
        }
    }

    /// The result of deciding about a proposed account.
    package enum AccountDecided: Sendable, Equatable {
        case done(ProviderAccount)
        /// The person proposed it.
        case ownProposal
        /// The number is not the one that was proposed.
        case otherNumber
        /// Nothing is proposed under this id.
        case notFound
    }

    /// Approves a proposed account, which is in force from then on; the one before is erased.
    ///
    /// A repeat changes nothing.
    ///
    /// - Parameter number: the account's number, as the person has it from the provider: nobody is shown the proposed one.
    package func approveAccount(
        _ id: Int64, of provider: UserID, number: String, by person: String
    ) async throws(LedgerError) -> AccountDecided {
        try await changingAccount(of: provider) { connection in
            guard let found = try connection.run(ProviderAccount.find(id, of: provider)), let account = found.account
            else { return .notFound }
            guard account.digits == BankAccount.digits(of: number) else { return .otherNumber }
            if found.status == .approved { return .done(found) }
            guard found.proposedBy != person else { return .ownProposal }
            _ = try connection.run(ProviderAccount.end(of: provider, [.approved], by: person))
            _ = try connection.run(ProviderAccount.approve(id, by: person))
            return try connection.run(ProviderAccount.find(id, of: provider)).map(AccountDecided.done) ?? .notFound
        }
    }

    /// Withdraws a proposed account, and erases it; a repeat changes nothing.
    package func withdrawAccount(
        _ id: Int64, of provider: UserID, by person: String
    ) async throws(LedgerError) -> AccountDecided {
        try await changingAccount(of: provider) { connection in
            guard let found = try connection.run(ProviderAccount.find(id, of: provider)) else { return .notFound }
            if found.status == .withdrawn { return .done(found) }
            guard found.status == .proposed else { return .notFound }
            _ = try connection.run(ProviderAccount.end(of: provider, [.proposed], by: person))
            return try connection.run(ProviderAccount.find(id, of: provider)).map(AccountDecided.done) ?? .notFound
        }
    }

    /// Erases what is kept of a provider's accounts, in force or proposed.
    ///
    /// - Returns: how many accounts were erased.
    @discardableResult
    package func eraseAccounts(of provider: UserID, by person: String) async throws(LedgerError) -> Int {
        try await changingAccount(of: provider) { connection in
            try connection.run(ProviderAccount.end(of: provider, [.proposed, .approved], by: person))
        }
    }

    /// Those who change an account of a provider take turns.
    private func changingAccount<Output: Sendable>(
        of provider: UserID, _ change: @Sendable (isolated PostgresConnection) throws -> Output
    ) async throws(LedgerError) -> Output {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    _ = try connection.run(ProviderAccount.lock(provider))
                    return try change(connection)
                }
            }
        }
    }

    /// The accounts of a provider, newest first.
    package func accounts(
        of provider: UserID, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ProviderAccount, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(
                ProviderAccount.list(of: provider, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// Accounts of all providers that wait for another person, oldest first, at most `limit`.
    package func waitingAccounts(limit: Int) async throws(LedgerError) -> [ProviderAccount] {
        try await reading { try await pools.reads.run(ProviderAccount.waiting(limit: limit)) }
    }

    /// Erases accounts that serve nobody: a proposal of 30 days, and an account in force of a provider who earned nothing, was
    /// in no payout and has been owed nothing for a year.
    ///
    /// - Returns: how many accounts were erased.
    package func purgeAccounts(at now: Date = Time.current.now, limit: Int) async throws(LedgerError) -> Int {
        try await reading {
            try await pools.work.run(ProviderAccount.purge(at: now, stripes: stripes, by: "ledgerd", limit: limit))
        }
    }
}
