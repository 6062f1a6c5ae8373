package import Ledger
import Timing

/// Closings that one person proposes and another one carries out: a closing can't be undone.
extension PeriodActs {
    /// Proposes to close the books.
    ///
    /// - Returns: the proposal's id.
    /// - Throws: `period_not_over`; `period_already_closed`; `proposal_open` while another closing waits.
    package func propose(_ draft: ClosingDraft) async throws -> Int64 {
        guard draft.until <= Time.current.now else {
            throw Problem.notOver
        }
        if let last = try await ledger.periods.list(limit: 1).elements.first, last.until >= draft.until {
            throw Problem.alreadyClosed(until: last.until)
        }
        switch try await ledger.periods.propose(draft) {
        case .proposed(let id): return id
        case .alreadyOpen: throw Problem(.proposalOpen)
        }
    }

    /// Closes the books as another person proposed.
    ///
    /// - Throws: `second_person_needed` for the person's own proposal; `approval_decided` for one that does not wait;
    ///   `period_already_closed`, when the books were closed meanwhile.
    package func close(_ proposal: ClosingProposal, by person: Person) async throws -> ClosedPeriod {
        if person.identity.isSamePerson(as: proposal.proposer) { throw Problem(.secondPersonNeeded) }
        switch try await ledger.periods.close(proposal, by: person, as: person.caller.rawValue) {
        case .closing(.closed(let period)): return period
        case .closing(.already(let period)), .closing(.behind(let period)):
            throw Problem.alreadyClosed(until: period.until)
        case .closing(.notOver): throw Problem.notOver
        case .notWaiting: throw Problem(.approvalDecided)
        }
    }

    /// Withdraws a proposal, anybody's: nothing is lost.
    ///
    /// - Throws: `approval_decided` for one that does not wait.
    package func withdraw(_ proposal: ClosingProposal, by person: Person) async throws {
        guard try await ledger.periods.withdrawProposal(proposal.id, by: person) else {
            throw Problem(.approvalDecided)
        }
    }
}
