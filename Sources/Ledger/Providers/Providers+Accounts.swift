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
            let kept = try connection.run(ProviderAccount.lockKept(of: provider))
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
        /// This part of it, `bank`, `number` or `holder`, is not the one that was proposed.
        case other(String)
        /// Nothing is proposed under this id, or it was withdrawn or erased meanwhile.
        case notFound
    }

    /// What a person names of the account that they approve: nobody approves what is proposed by now, whatever it is.
    package enum AccountNaming: Sendable, Equatable {
        /// The one under an id, of which the person saw bank and holder, with the number as the person has it from the
        /// provider: nobody is shown the proposed one.
        case seen(Int64, number: String)
        /// Bank, number and holder, as the person has them from the provider, of whom one is proposed.
        case whole(BankAccount)
    }

    /// Approves a proposed account, which is in force from then on; the one before is erased.
    ///
    /// A repeat under the id changes nothing.
    ///
    /// - Parameters:
    ///   - person: the caller.
    ///   - name: the person's name, for people; nil: it is not known.
    package func approveAccount(
        _ naming: AccountNaming, of provider: UserID, by person: String, named name: String? = nil
    ) async throws(LedgerError) -> AccountDecided {
        try await changingAccount(of: provider) { connection in
            let kept = try connection.run(ProviderAccount.lockKept(of: provider))
            guard let found = kept.first(where: naming.names), let account = found.account else { return .notFound }
            if let part = naming.difference(from: account) { return .other(part) }
            if found.status == .approved { return .done(found) }
            if Identity(person, named: name).isSamePerson(as: found.proposer) { return .ownProposal }
            _ = try connection.run(ProviderAccount.end(of: provider, [.approved], by: person))
            guard let approved = try connection.run(ProviderAccount.approve(found.id, by: person)) else {
                throw LedgerError(.fault, "an account that was locked is not proposed any more")
            }
            return .done(approved)
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

    /// A provider's account that waits, the one in force, and then the newest of the others, at most `limit`.
    package func shownAccounts(of provider: UserID, limit: Int) async throws(LedgerError) -> [ProviderAccount] {
        try await reading {
            let kept = try await pools.reads.run(ProviderAccount.kept(of: provider))
            let newest = try await pools.reads.run(ProviderAccount.list(of: provider, before: nil, limit: limit))
            let others = newest.filter { one in !kept.contains { $0.id == one.id } }
            return Array((kept + others).prefix(limit))
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

extension Providers.AccountNaming {
    /// Whether this is the account that was named.
    func names(_ kept: ProviderAccount) -> Bool {
        switch self {
        case .seen(let id, _): kept.id == id
        case .whole: kept.status == .proposed
        }
    }

    /// The part of an account that was named otherwise; nil: none.
    func difference(from account: BankAccount) -> String? {
        switch self {
        case .seen(_, let number): return account.digits == BankAccount.digits(of: number) ? nil : "number"
        case .whole(let named):
            if account.digits != named.digits { return "number" }
            if account.bank != named.bank { return "bank" }
            return account.holder == named.holder ? nil : "holder"
        }
    }
}
