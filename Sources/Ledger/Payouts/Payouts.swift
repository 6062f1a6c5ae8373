package import Foundation
import Postgres

/// Proposes, decides and reads payouts to providers.
package struct Payouts: Sendable {
    /// The result of a proposal.
    package enum Proposal: Sendable, Equatable {
        /// Proposed now.
        case proposed(Payout)
        /// The same request was made before.
        case repeated(Payout)
        /// The key was used for another proposal, at this time if it is known.
        case reused(at: Date?)
        /// Nothing is owed to the providers.
        case nothingOwed
        /// The cut-off is in the future.
        case notOver
    }

    /// The result of an approval or a withdrawal.
    package enum Decided: Sendable, Equatable {
        /// It is so now, or was before.
        case done(Payout)
        /// The payout is too far for that.
        case refused(Payout.Status)
        /// The proposer can't approve.
        case ownProposal
        case notFound
    }

    let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Proposes to pay what is owed at the cut-off.
    ///
    /// PostgreSQL takes what is in no payout: captures before the cut-off, reversals of captures that are paid, and
    /// repayments, of at most 1,000 providers to whom more than nothing is owed.
    package func propose(_ draft: PayoutDraft) async throws(LedgerError) -> Proposal {
        try await reading {
            let id: Int64?
            do {
                id = try await pools.payouts.run(Payout.insert(draft))
            } catch let error as PostgresError {
                switch error.constraint {
                case "payout_pays_something": return .nothingOwed
                case "payout_cut_off_is_over": return .notOver
                default: throw error
                }
            }
            if let id { return .proposed(try await standing(id)) }
            guard let known = try await pools.writes.run(Payout.proposed(as: draft)) else { return .reused(at: nil) }
            let payout = try await standing(known.id)
            return known.isSame ? .repeated(payout) : .reused(at: payout.proposedAt)
        }
    }

    /// Approves a payout that another person proposed.
    ///
    /// - Parameters:
    ///   - person: the caller.
    ///   - name: the person's name, for people; nil: it is not known.
    package func approve(
        _ id: Int64, by person: String, named name: String? = nil
    ) async throws(LedgerError) -> Decided {
        guard let payout = try await find(id) else { return .notFound }
        // Of one that another person approved, it is only a repeat.
        let isOwn = Identity(person, named: name).isSamePerson(as: payout.proposer)
        if isOwn, payout.approval == nil { return .ownProposal }
        return try await decide(id, .approved, by: person, because: nil)
    }

    /// Withdraws a payout that is not paid: its captures are free for the next one.
    package func withdraw(
        _ id: Int64, by person: String, because reason: String?
    ) async throws(LedgerError) -> Decided {
        try await decide(id, .withdrawn, by: person, because: reason)
    }

    private func decide(
        _ id: Int64, _ decision: Payout.Status, by person: String, because reason: String?
    ) async throws(LedgerError) -> Decided {
        try await reading {
            do {
                let pool = decision == .withdrawn ? pools.payouts : pools.writes
                guard try await pool.run(Payout.decide(id, decision, by: person, reason: reason)) == 1 else {
                    return .notFound
                }
            } catch let error as PostgresError {
                switch error.constraint {
                case "payout_approved_by_another": return .ownProposal
                case "payout_decision_fits_payout", "payout_decision_pkey":
                    let payout = try await standing(id)
                    return payout.status == decision ? .done(payout) : .refused(payout.status)
                default: throw error
                }
            }
            return .done(try await standing(id))
        }
    }

    private func standing(_ id: Int64) async throws -> Payout {
        guard let payout = try await pools.writes.run(Payout.find(id)) else {
            throw LedgerError(.fault, "a payout that was just read is missing")
        }
        return payout
    }

    /// The payout with this id; nil: not found.
    package func find(_ id: Int64) async throws(LedgerError) -> Payout? {
        try await reading { try await pools.writes.run(Payout.find(id)) }
    }

    /// Payouts, newest first.
    ///
    /// - Parameter status: only those that are so far; nil: all.
    package func list(
        _ status: Payout.Status? = nil, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Payout, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(Payout.list(status, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// What a payout pays, by provider.
    package func items(
        of payout: Int64, after cursor: PayoutItemCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<PayoutItem, PayoutItemCursor> {
        try await reading {
            let found = try await pools.reads.run(
                PayoutItem.list(of: payout, after: cursor?.provider, limit: limit))
            return Page(found, limit: limit) { $0.last.map { PayoutItemCursor(provider: $0.provider.rawValue) } }
        }
    }

    /// The act that books the bank's payment; nil: there is no such payout.
    ///
    /// - Parameter paidAt: when the bank paid.
    package func payment(
        of payout: Int64, key: CallerKey, paidAt: Date, bankReference: String
    ) async throws(LedgerError) -> PayPayout? {
        try await reading {
            let parts = try await pools.writes.run(PayoutPart.list(of: payout))
            if parts.isEmpty, try await pools.writes.run(Payout.find(payout)) == nil { return nil }
            return PayPayout(
                idempotencyKey: key, payoutID: payout, paidAt: paidAt, bankReference: bankReference, parts: parts)
        }
    }
}
