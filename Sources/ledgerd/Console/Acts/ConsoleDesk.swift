import Ledger
import LedgerWire
import WireFormats

/// Carries out what people ask for in the console, records it, and proposes it to a second person if it is above a limit.
///
/// The acts are those of the API: the same desks, limits and checks.
struct ConsoleDesk: Sendable {
    /// The acts of the features.
    let desks: Desks
    let limits: ApprovalLimits
    let audit: AuditTrail

    private var ledger: Ledger { desks.ledger }

    /// What became of a request.
    enum Answer: Sendable, Equatable {
        /// It is done, or the gateway is still being asked.
        case done
        /// A second person has to approve it.
        case proposed
    }

    /// A request for an act, as the form has it.
    struct Request: Sendable {
        let order: ConsoleOrder
        let user: UserID
        let reason: String
        /// Of the form: one that is sent twice is one act.
        let once: String
        /// What the person saw before.
        let seen: [String: JSON]
        /// Whether it needs a second person.
        let needsApproval: Bool
    }

    /// Does what a person asks for, or proposes it.
    ///
    /// - Throws: ``Problem`` for a refusal; ``LedgerError``. Both are recorded.
    func perform(_ request: Request, by person: Person) async throws -> Answer {
        if request.needsApproval {
            try await propose(request, by: person)
            return .proposed
        }
        try await audit.record(draft(request, by: person)) {
            let key = CallerKey("console-\(request.once)", of: person.caller)
            return try await carryOut(
                request.order, of: request.user, reason: request.reason, key, by: person.name,
                on: .alone(request.seen))
        }
        return .done
    }

    private func propose(_ request: Request, by person: Person) async throws {
        var account: BankAccount?
        if case .refund(_, _, let given) = request.order { account = given }
        let proposed = try await ledger.approvals.propose(
            ApprovalDraft(
                key: request.once, act: request.order.act.rawValue, target: request.order.target(of: request.user),
                user: request.user, parameters: JSON.object(request.order.parameters).written, account: account,
                seen: JSON.object(request.seen).written, reason: request.reason, proposer: person))
        switch proposed {
        case .proposed(let id): try await audit.propose(draft(request, by: person, approval: id))
        case .keyReused: throw Problem(.idempotencyKeyReused)
        case .alreadyOpen: throw Problem(.proposalOpen)
        }
    }

    private func draft(_ request: Request, by person: Person, approval: Int64? = nil) -> AuditDraft {
        let seen = request.seen.merging(request.order.parameters.mapKeys { "asked_\($0)" }) { $1 }
        return AuditDraft(
            key: request.once, person: person, act: request.order.act.rawValue,
            target: request.order.target(of: request.user), user: request.user, reason: request.reason,
            seen: JSON.object(seen).written, approval: approval)
    }

    /// Approves another person's proposal and carries it out.
    ///
    /// If that did not end, it can be approved again. If what it is about has changed since it was proposed, it is
    /// refused, because nobody decided about what is so now.
    ///
    /// - Throws: ``Problem`` for a proposal that can't be approved, and for a refusal of its act.
    func approve(_ approval: Approval, because reason: String, once: String, by person: Person) async throws {
        guard let order = ConsoleOrder(approval) else { throw Problem(.notFound) }
        let decision = AuditDraft(
            key: once, person: person, act: AuditAct.approve.rawValue, target: "approval:\(approval.id)",
            user: approval.user, reason: reason, seen: try await seenNow(approval), approval: approval.id)
        try await audit.record(decision) {
            try await requireDecision(.approved, on: approval, by: person, because: reason)
            guard let proposer = UserID(rawValue: "console:" + approval.proposedBy) else { throw Problem(.notFound) }
            let key = CallerKey("approval-\(approval.id)", of: proposer)
            do {
                let made = try await carryOut(
                    order, of: approval.user, reason: approval.reason, key, by: approval.proposedName,
                    on: try ConsoleDecision(approved: approval))
                try await ledger.approvals.end(approval.id, .done, outcome: JSON.object(made).written)
                return made
            } catch let refusal as Problem where !refusal.code.isRetryable {
                let problem = refusal.code == .changedMeanwhile ? Problem(.approvalOutdated) : refusal
                let outcome = JSON.object(["code": .string(problem.code.rawValue)])
                try await ledger.approvals.end(approval.id, .refused, outcome: outcome.written)
                throw problem
            }
        }
    }

    /// Declines another person's proposal.
    func decline(_ approval: Approval, because reason: String, once: String, by person: Person) async throws {
        let decision = AuditDraft(
            key: once, person: person, act: AuditAct.decline.rawValue, target: "approval:\(approval.id)",
            user: approval.user, reason: reason, seen: "{}", approval: approval.id)
        try await audit.record(decision) {
            try await requireDecision(.declined, on: approval, by: person, because: reason)
            return [:]
        }
    }

    private func requireDecision(
        _ status: Approval.Status, on approval: Approval, by person: Person, because reason: String
    ) async throws {
        if approval.proposedBy == person.subject { throw Problem(.secondPersonNeeded) }
        if try await ledger.approvals.decide(approval.id, status, by: person, because: reason) { return }
        let now = try await ledger.approvals.find(approval.id)
        // Its process ended before the act: the act has the same key, so it is done once.
        if status == .approved, now?.status == .approved { return }
        throw Problem(.approvalDecided)
    }

    private func seenNow(_ approval: Approval) async throws -> String {
        JSON.object(try await seen(of: approval.user)).written
    }

    /// The customer's balance, as it is kept with an act.
    func seen(of user: UserID) async throws -> [String: JSON] {
        let balance = try await ledger.balances.find(of: user)
        return [
            "paid": .integer(balance.paid), "bonus": .integer(balance.bonus), "held": .integer(balance.held),
            "debt": .integer(balance.debt),
        ]
    }

    /// Whether the form was sent before, and its act is done or refused: then it is only answered again.
    func hasPerformed(_ once: String, by person: Person) async throws -> Bool {
        guard let key = CallerKey("console-\(once)", of: person.caller) else { return false }
        return try await ledger.hasRecorded(key)
    }

    /// Whether a refund is above what one person can do alone, with what was refunded of the purchase before.
    ///
    /// The act checks it again, because another refund can come first.
    func needsSecondPerson(_ quote: RefundQuote) -> Bool {
        quote.purchase.refundedAmount + quote.amount > limits.refund(in: quote.purchase.currency.code)
    }

    /// Whether a reversal is above what one person can do alone, with what came back of the redemption before.
    ///
    /// The act checks it again, because another reversal can come first.
    func needsSecondPerson(_ coins: Coins, of redemption: Redemption) -> Bool {
        redemption.returned + coins.count > limits.grant
    }

    /// Whether the payment of a finding is more than one person can credit to a customer alone.
    func needsSecondPerson(_ finding: Finding) -> Bool {
        (finding.amount ?? .max) > limits.refund(in: finding.currency)
    }

    /// Whether there is no record of the user to whom a finding's payment is to be credited.
    func isNew(_ user: UserID, to finding: Finding) async throws -> Bool {
        try await desks.findings.isNew(user, to: finding)
    }

    // MARK: - The acts

    /// - Returns: what was made, for the record.
    private func carryOut(
        _ order: ConsoleOrder, of user: UserID, reason: String, _ key: CallerKey?, by issuer: String,
        on decision: ConsoleDecision
    ) async throws -> [String: JSON] {
        guard let key else { throw Problem.invalid(member: "once", "the form is not the console's own") }
        return try await desks.acts.once(key) {
            try await perform(order, of: user, reason: reason, key, by: issuer, on: decision)
        }
    }

    private func perform(
        _ order: ConsoleOrder, of user: UserID, reason: String, _ key: CallerKey, by issuer: String,
        on decision: ConsoleDecision
    ) async throws -> [String: JSON] {
        switch order {
        case .refund(let purchase, let coins, let account):
            return try await refund(purchase, of: user, coins, to: account, reason, key, on: decision)
        case .grant(let coins): return try await grant(coins, to: user, reason, key, by: issuer)
        case .writeOff(let coins): return try await writeOff(coins, of: user, reason, key, on: decision)
        case .voidHold(let hold):
            let found = try await desks.holds.find(hold, of: user)
            let voided = try await desks.holds.void(found, because: reason, under: key).success
            return ["hold": .integer(voided.hold.id), "released": .integer(voided.hold.released)]
        case .reverse(let redemption, let coins):
            return try await reverse(redemption, of: user, coins, reason, key, on: decision)
        case .claim(let finding, let isNewUser):
            return try await claim(finding, for: user, isNewUser, reason, key, on: decision)
        }
    }

    private func grant(
        _ coins: Int64, to user: UserID, _ reason: String, _ key: CallerKey, by issuer: String
    ) async throws -> [String: JSON] {
        guard let coins = Coins(coins) else { throw Problem.invalid(member: "coins", "coins must be 1 or more") }
        let granted = try await desks.grants.grant(coins, to: user, because: reason, issuer: issuer, under: key).success
        return ["lot": .integer(granted.lotID), "journal_entry": .integer(granted.journalEntryID)]
    }

    private func writeOff(
        _ coins: Int64, of user: UserID, _ reason: String, _ key: CallerKey, on decision: ConsoleDecision
    ) async throws -> [String: JSON] {
        guard let coins = Coins(coins) else { throw Problem.invalid(member: "coins", "coins must be 1 or more") }
        let writtenOff = try await desks.debts.writeOff(
            coins, of: user, because: reason, owedBefore: decision.owedBefore, under: key
        ).success
        return ["journal_entry": .integer(writtenOff.journalEntryID)]
    }

    private func refund(
        _ purchaseID: Int64, of user: UserID, _ coins: Int64, to account: BankAccount?, _ reason: String,
        _ key: CallerKey, on decision: ConsoleDecision
    ) async throws -> [String: JSON] {
        guard let purchase = try await ledger.purchases.find(purchaseID, of: user) else {
            throw RefusedAct(.noSuchPurchase)
        }
        let asked = RefundActs.Request(
            purchase: purchase, coins: Coins(coins), reason: reason, account: account,
            terms: decision.refundTerms(limits.refund(in: purchase.currency.code)))
        let refund = try await desks.refunding.refund(asked, under: key).success
        if refund.status == .refused { throw Problem.refundRefused(refund) }
        return [
            "refund": .integer(refund.id), "status": .string(refund.status.rawValue),
            "amount": .integer(refund.amount),
        ]
    }

    private func reverse(
        _ id: Int64, of user: UserID, _ coins: Int64, _ reason: String, _ key: CallerKey, on decision: ConsoleDecision
    ) async throws -> [String: JSON] {
        guard let redemption = try await ledger.redemptions.find(id), redemption.user == user else {
            throw RefusedAct(.noSuchRedemption)
        }
        let reversed = try await desks.reversals.reverse(
            redemption, Coins(coins), because: reason, terms: decision.reversalTerms(limits.grant), under: key
        ).success
        return ["journal_entry": .integer(reversed.journalEntryID), "coins": .integer(reversed.coins)]
    }

    private func claim(
        _ id: Int64, for user: UserID, _ isNewUser: Bool, _ reason: String, _ key: CallerKey,
        on decision: ConsoleDecision
    ) async throws -> [String: JSON] {
        let claim = FindingDesk.Claim(
            finding: id, user: user, isNewUser: isNewUser, reason: reason, caller: key.caller.rawValue,
            seen: decision.payment)
        switch try await desks.findings.claim(claim) {
        case .credited(let credited, _): return ["purchase": .integer(credited.purchase.id)]
        case .waiting: throw Problem(.paymentUnconfirmed)
        }
    }
}

extension Dictionary {
    fileprivate func mapKeys(_ transform: (Key) -> Key) -> [Key: Value] {
        Dictionary(uniqueKeysWithValues: map { (transform($0.key), $0.value) })
    }
}

extension ProblemCode {
    // People in the console see these codes, and clients of the API do not.

    /// A person decides about their own proposal.
    static let secondPersonNeeded = ProblemCode("second_person_needed", 403, "Another person has to decide this.")
    /// The proposal was decided before.
    static let approvalDecided = ProblemCode("approval_decided", 409, "The proposal is decided already.")
    /// What a proposal is about has changed since it was proposed.
    static let approvalOutdated = ProblemCode(
        "approval_outdated", 409,
        "What it is about has changed since it was proposed: nothing was done. Look at it, and propose it again.")
    /// A proposal of the same act on the same object is open.
    static let proposalOpen = ProblemCode(
        "proposal_open", 409, "The same is proposed already: it has to be decided and carried out first.")
    /// What the act is about has changed since the person saw it.
    static let changedMeanwhile = ProblemCode(
        "changed_meanwhile", 409, "It has changed since you opened the page: nothing was done. Open the page again.")
    /// Others came first, and together it is more than one person may do alone.
    static let exceedsOwnLimit = ProblemCode(
        "exceeds_own_limit", 409,
        "With what was done before, another person has to approve it: nothing was done. Open the page again.")
    /// The gateway does not confirm a payment that a person credits to a customer.
    static let paymentUnconfirmed = ProblemCode(
        "payment_unconfirmed", 409, "The gateway does not confirm the payment now, and nothing was done.",
        isRetryable: true)
    /// The customer owes fewer coins.
    static let writeOffExceedsDebt = ProblemCode(
        "write_off_exceeds_debt", 422, "The customer owes fewer coins than that.")
}
