package import Ledger

// The bank accounts that payouts to providers go to: proposed by one person, approved by another, erased when they have served.
extension ProviderActs {
    /// Proposes the account that payouts to a provider go to; a repeat changes nothing, another account replaces the proposal.
    ///
    /// - Throws: ``InputFault``; `not_found` for a provider without terms.
    package func propose(
        _ account: BankAccount, of provider: UserID, by person: String
    ) async throws -> Providers.AccountProposed {
        for (name, text) in [("bank", account.bank), ("number", account.number), ("holder", account.holder)] {
            guard BankAccount.isPart(text) else { throw InputFault(name, BankAccount.rule) }
        }
        guard try await ledger.providers.find(provider) != nil else {
            throw Problem(.notFound, "the provider has no terms")
        }
        return try await ledger.providers.propose(account, of: provider, by: person)
    }

    /// Approves an account that another person proposed; a repeat under the id changes nothing.
    ///
    /// - Parameters:
    ///   - person: the caller.
    ///   - name: the person's name, for people; nil: it is not known.
    /// - Throws: ``InputFault`` for a part that is not the proposed one; `approval_by_proposer`; `not_found`.
    package func approveAccount(
        _ naming: Providers.AccountNaming, of provider: UserID, by person: String, named name: String? = nil
    ) async throws -> ProviderAccount {
        try Self.account(
            after: try await ledger.providers.approveAccount(naming, of: provider, by: person, named: name))
    }

    /// Withdraws a proposed account, and erases it; a repeat changes nothing.
    ///
    /// - Throws: `not_found`.
    package func withdrawAccount(_ id: Int64, of provider: UserID, by person: String) async throws -> ProviderAccount {
        try Self.account(after: try await ledger.providers.withdrawAccount(id, of: provider, by: person))
    }

    /// Erases the accounts of a provider, in force and proposed; a repeat changes nothing.
    ///
    /// - Returns: how many were erased.
    @discardableResult
    package func eraseAccounts(of provider: UserID, by person: String) async throws -> Int {
        try await ledger.providers.eraseAccounts(of: provider, by: person)
    }

    private static func account(after decided: Providers.AccountDecided) throws -> ProviderAccount {
        switch decided {
        case .done(let account): return account
        case .ownProposal: throw Problem(.approvalByProposer, "another person than the proposer must approve it")
        case .other(let part): throw InputFault(part, "is not the \(part) that was proposed")
        case .notFound: throw Problem(.notFound, "no such account is proposed")
        }
    }
}
