package import Ledger
package import WireFormats

/// Carries out what people ask for at the console or at a terminal, records it, and proposes it to a second person if it
/// is above a limit.
///
/// The acts are those of the API: the same functions with the same checks.
package struct ApprovalDesk: Sendable {
    /// The acts of the features.
    package let desks: Desks
    package let limits: ApprovalLimits
    private let audit: AuditTrail

    package init(desks: Desks, limits: ApprovalLimits) {
        self.desks = desks
        self.limits = limits
        audit = AuditTrail(records: desks.ledger.audit)
    }

    private var ledger: Ledger { desks.ledger }

    /// Records an act that a person asks for, and does it.
    ///
    /// - Parameters:
    ///   - target: what it is done to.
    ///   - sender: who asks for it. What is sent twice, such as a form, is one act.
    ///   - seen: what the person saw before, and what they ask for.
    ///   - made: what was made, for the record.
    ///   - work: does it. It gets the sender's key.
    /// - Throws: what the act throws, which is recorded; `request_in_progress`.
    package func perform<Value>(
        _ act: AuditAct, on target: String, by sender: ActSender, user: UserID? = nil, reason: String = "",
        seen: [String: JSON] = [:], approval: Int64? = nil, made: (Value) -> [String: JSON] = { _ in [:] },
        _ work: (CallerKey) async throws -> Value
    ) async throws -> Value {
        let key = sender.key
        let draft = AuditDraft(
            key: sender.record, person: sender.person, act: act.rawValue, target: target, user: user, reason: reason,
            seen: JSON.object(seen).written, approval: approval)
        return try await desks.acts.once(key) {
            try await audit.record(draft, made: made) { try await work(key) }
        }
    }

    // MARK: - Orders

    /// Does what a person orders, or proposes it.
    ///
    /// What was done under the sender's key is only answered again: what it moved counts for the limit, too, and must not
    /// make a proposal of more.
    ///
    /// - Parameters:
    ///   - user: the customer; nil: nobody knows whose the payment of a finding is.
    ///   - seen: what the person saw before.
    ///   - needsApproval: whether it is above a limit; see ``needsSecondPerson(_:)``.
    ///   - beside: the newest open proposal about the same object that the person has seen; nil: none.
    /// - Throws: `proposal_open` when there is a newer one; `invalid_request` when `beside` is no proposal about it.
    package func perform(
        _ order: any PersonOrder, of user: UserID?, by sender: ActSender, because reason: String,
        seen: [String: JSON], needsApproval: Bool, beside: Int64? = nil
    ) async throws -> PersonOrderOutcome {
        let act = type(of: order).act
        let target = order.target(of: user)
        let recorded = seen.merging(order.parameters.mapKeys { "asked_\($0)" }) { $1 }
        if needsApproval, try await !hasPerformed(under: sender.key) {
            let id = try await propose(order, of: user, sender, reason, seen, beside)
            try await audit.propose(
                AuditDraft(
                    key: sender.once, person: sender.person, act: act.rawValue, target: target, user: user,
                    reason: reason, seen: JSON.object(recorded).written, approval: id))
            return .proposed(id)
        }
        return .done(
            try await perform(
                act, on: target, by: sender, user: user, reason: reason, seen: recorded, made: \.self
            ) {
                try await order.perform(
                    PersonOrderTerms(
                        desk: self, customer: user, reason: reason, key: $0, issuer: sender.person.name,
                        decision: .alone(seen)))
            })
    }

    /// - Returns: the proposal's id.
    private func propose(
        _ order: any PersonOrder, of user: UserID?, _ sender: ActSender, _ reason: String, _ seen: [String: JSON],
        _ beside: Int64?
    ) async throws -> Int64 {
        let proposed = try await ledger.approvals.propose(
            ApprovalDraft(
                key: sender.once, act: type(of: order).act.rawValue, target: order.target(of: user), user: user,
                parameters: JSON.object(order.parameters).written, account: order.account,
                seen: JSON.object(seen).written, reason: reason, proposer: sender.person,
                beside: beside))
        switch proposed {
        case .proposed(let id): return id
        case .keyReused: throw Problem(.idempotencyKeyReused)
        case .alreadyOpen: throw Problem(.proposalOpen)
        case .besideAnother:
            throw Problem.invalid(member: "beside", "beside must be the id of a proposal about the same object")
        }
    }

    /// Whether the same was asked for before, and its act is done or refused: then it is only answered again.
    package func hasPerformed(under key: CallerKey) async throws -> Bool { try await ledger.hasRecorded(key) }

    // MARK: - Limits

    // Each act checks its limit again, because another act can come first.

    /// Whether a refund is above what one person can do alone, with what was refunded of the purchase before.
    package func needsSecondPerson(_ quote: RefundQuote) -> Bool {
        quote.purchase.refundedAmount + quote.amount > limits.refund(in: quote.purchase.currency.code)
    }

    /// Whether a reversal is above what one person can do alone, with what came back of the redemption before.
    package func needsSecondPerson(_ coins: Coins, of redemption: Redemption) -> Bool {
        redemption.returned + coins.count > limits.grant
    }

    /// Whether the payment of a finding is more than one person can credit to a customer alone.
    package func needsSecondPerson(_ finding: Finding) -> Bool {
        !limits.allowCredit(of: finding.amount, in: finding.currency)
    }
}

// MARK: - Proposals

extension ApprovalDesk {
    /// Approves another person's proposal and carries it out.
    ///
    /// If that did not end, it can be approved again. If what it is about has changed since it was proposed, it is
    /// refused: the proposer decided about another state.
    ///
    /// - Returns: what was made, for the record.
    /// - Throws: ``Problem`` for a proposal that can't be approved, and for a refusal of its act.
    package func approve(
        _ approval: Approval, because reason: String, by sender: ActSender
    ) async throws -> [String: JSON] {
        guard let order = PersonOrders.stored(in: approval) else { throw Problem(.notFound) }
        return try await perform(
            .approve, on: "approval:\(approval.id)", by: sender, user: approval.user, reason: reason,
            seen: try await seen(of: approval.user), approval: approval.id, made: \.self
        ) { _ in
            try await requireDecision(.approved, on: approval, by: sender.person, because: reason)
            do {
                let made = try await carryOut(order, approved: approval)
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

    /// - Returns: what was made, for the record.
    private func carryOut(_ order: any PersonOrder, approved approval: Approval) async throws -> [String: JSON] {
        guard let proposer = UserID(rawValue: Identity.console + approval.proposedBy),
            let key = CallerKey("approval-\(approval.id)", of: proposer)
        else { throw Problem(.notFound) }
        let terms = PersonOrderTerms(
            desk: self, customer: approval.user, reason: approval.reason, key: key, issuer: approval.proposedName,
            decision: try PersonDecision(approved: approval))
        return try await desks.acts.once(key) { try await order.perform(terms) }
    }

    /// Declines another person's proposal.
    package func decline(_ approval: Approval, because reason: String, by sender: ActSender) async throws {
        try await perform(
            .decline, on: "approval:\(approval.id)", by: sender, user: approval.user, reason: reason,
            approval: approval.id
        ) { _ in
            try await requireDecision(.declined, on: approval, by: sender.person, because: reason)
        }
    }

    /// Withdraws the person's own proposal.
    ///
    /// A repeat is no fault.
    ///
    /// - Throws: `not_the_proposer`; `approval_decided` when it waits no more.
    package func withdraw(_ approval: Approval, by sender: ActSender) async throws {
        try await perform(
            .withdrawProposal, on: "approval:\(approval.id)", by: sender, user: approval.user, approval: approval.id
        ) { _ in
            guard approval.proposedBy == sender.person.subject else { throw Problem(.notTheProposer) }
            if try await ledger.approvals.withdraw(approval.id, by: sender.person) { return }
            guard try await ledger.approvals.find(approval.id)?.status == .withdrawn else {
                throw Problem(.approvalDecided)
            }
        }
    }

    private func requireDecision(
        _ status: Approval.Status, on approval: Approval, by person: Person, because reason: String
    ) async throws {
        if person.proposed(approval) { throw Problem(.secondPersonNeeded) }
        if try await ledger.approvals.decide(approval.id, status, by: person, because: reason) { return }
        let now = try await ledger.approvals.find(approval.id)
        // Its process ended before the act: the act has the same key, so it is done once.
        if status == .approved, now?.status == .approved { return }
        throw Problem(.approvalDecided)
    }
}

extension Person {
    /// Whether the proposal is the person's own, from whichever door.
    package func proposed(_ approval: Approval) -> Bool { identity.isSamePerson(as: approval.proposer) }
}

extension Dictionary {
    fileprivate func mapKeys(_ transform: (Key) -> Key) -> [Key: Value] {
        Dictionary(uniqueKeysWithValues: map { (transform($0.key), $0.value) })
    }
}

/// The most that one person can do alone.
package struct ApprovalLimits: Sendable {
    /// Of the refunds of a purchase, in won.
    let refund: Int64
    /// Of a grant, of the voids of one, or of the reversals of a spend or capture, in coins.
    package let grant: Int64

    init(_ values: SettingValues) throws(ConfigurationError) {
        refund = Int64(try values[Settings.console.refundLimit])
        grant = Int64(try values[Settings.console.grantLimit])
    }

    /// Of the refunds of a purchase in this currency: nothing, unless it is won.
    package func refund(in currency: String?) -> Int64 { currency == Currency.won.code ? refund : 0 }

    /// Whether one person can credit a payment of this amount alone, in the minor units of its currency; nil: unknown.
    ///
    /// An amount of 0 says nothing of the coins: what a store sold for nothing gives all of its product.
    func allowCredit(of amount: Int64?, in currency: String?) -> Bool {
        guard let amount, amount > 0 else { return false }
        return amount <= refund(in: currency)
    }
}
