import Crypto
import Foundation
import Ledger
import LedgerWire
import WireFormats

/// The acts of the console for a person at a terminal of the server: the same orders, limits, proposals and audit.
///
/// Nobody checks who the person is: whoever may use the database's role may give any name. The audit has the name with
/// ``prefix`` before it.
package struct TerminalDesk: Sendable {
    let desk: ApprovalDesk
    private let person: Person

    /// What the subject of a person at a terminal begins with.
    package static let prefix = Identity.terminal

    /// - Parameter name: who acts; a name that the system or ``PersonOption`` gives.
    init(_ desks: Desks, _ limits: ApprovalLimits, for name: String) throws {
        person = try Self.person(name)
        desk = ApprovalDesk(desks: desks, limits: limits)
    }

    /// A person at a terminal, who may do all that the database's role may.
    static func person(_ name: String) throws -> Person {
        guard let person = Person(subject: prefix + name, name: name, role: .administrator) else {
            throw Refused("the name of the person is too long")
        }
        return person
    }

    private var ledger: Ledger { desk.desks.ledger }

    /// The person with the names of an act: the same words are the same act.
    func sender(_ words: String...) throws -> ActSender {
        let text = ([person.subject] + words).joined(separator: "\n")
        let once = Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8))))
        guard let key = CallerKey("terminal-\(once)", of: person.caller) else {
            throw LedgerError.unexpected("the key of a command is invalid")
        }
        return ActSender(person: person, once: once, record: RandomToken.make(), key: key)
    }
}

// MARK: - Refunds

extension TerminalDesk {
    /// What a refund would give back now; refused as the refund itself would be.
    func quote(_ coins: Coins?, ofPurchase id: Int64) async throws -> (quote: RefundQuote, needsApproval: Bool) {
        let purchase = try await ledger.purchases.require(id)
        let quote = try await desk.desks.refunding.quote(for: coins, of: purchase)
        return (quote, desk.needsSecondPerson(quote))
    }

    /// Refunds coins of a purchase, or proposes it to a second person above the limit.
    ///
    /// - Parameters:
    ///   - amount: what the person saw in the quote, in minor units of the payment's currency; another amount is refused.
    ///   - name: tells this refund from others of the same coins and reason.
    ///   - beside: the newest open proposal about the purchase that the person has seen; nil: none.
    func refund(
        _ coins: Coins, ofPurchase id: Int64, amount: Int64, because reason: String, named name: String,
        beside: Int64? = nil
    ) async throws -> PersonOrderOutcome {
        let sender = try sender("refund", "\(id)", "\(coins.count)", "\(amount)", reason, name)
        if let proposal = try await proposal(of: sender) { return proposal }
        let (quote, needsApproval) = try await quote(coins, ofPurchase: id)
        try await requireAsSeen(sender, quote.purchase, refusal: quote.refusal, seen: amount, now: quote.paidBack)
        return try await perform(
            RefundOrder(purchase: id, coins: coins, account: nil), of: quote.purchase.user, by: sender,
            because: reason, seen: try await desk.seen(of: quote), needsApproval: needsApproval, beside)
    }

    /// What taking back spends and refunding their purchase would give back now.
    func quote(
        takingBack spends: SpendChoice?, ofPurchase id: Int64
    ) async throws -> (quote: TakeBackQuote, needsApproval: Bool) {
        let purchase = try await ledger.purchases.require(id)
        let quote = try await desk.desks.takeBacks.quote(spends, of: purchase)
        return (quote, desk.needsSecondPerson(quote.preview))
    }

    /// Takes back spends of a purchase and refunds it, or proposes it to a second person above a limit.
    ///
    /// - Parameters:
    ///   - amount: what the person saw in the quote, in minor units of the payment's currency; another amount is refused.
    ///   - name: tells this act from another of the same spends and reason.
    func takeBack(
        _ spends: SpendChoice, ofPurchase id: Int64, amount: Int64, because reason: String, named name: String,
        beside: Int64? = nil
    ) async throws -> PersonOrderOutcome {
        let sender = try sender("take-back", "\(id)", spends.text, "\(amount)", reason, name)
        if let proposal = try await proposal(of: sender) { return proposal }
        let purchase = try await ledger.purchases.require(id)
        let preview = try await desk.desks.takeBacks.preview(spends, of: purchase)
        try await requireAsSeen(
            sender, purchase, refusal: preview.refusal, seen: amount, now: preview.made?.refund.paidBack ?? 0)
        return try await perform(
            TakeBackOrder(purchase: id, spends: spends, account: nil), of: purchase.user, by: sender,
            because: reason, seen: try await desk.seen(of: preview), needsApproval: desk.needsSecondPerson(preview),
            beside)
    }

    /// Refuses a command that can't be done as the person saw it, unless it was given before and is only answered again.
    private func requireAsSeen(
        _ sender: ActSender, _ purchase: Purchase, refusal: Refusal?, seen: Int64, now: Int64
    ) async throws {
        if try await desk.hasPerformed(under: sender.key) { return }
        if let refusal { throw RefusedAct(refusal) }
        guard desk.desks.refunding.canAskGateway(of: purchase) else {
            throw Problem(.noRefund(at: purchase.payment.gateway))
        }
        guard seen == now else { throw Refused("the amount is \(now) now: nothing was done") }
    }

    /// The acts that pay money back, whose proposals are decided here too.
    private static let refunding = [AuditAct.refund, .takeBack, .refundFinding].map(\.rawValue)

    /// The proposals of refunds that wait for a second person, or are approved and not carried out yet.
    static func proposedRefunds(in ledger: Ledger) async throws -> [Approval] {
        try await ledger.approvals.listOpen().filter { refunding.contains($0.act) }
    }

    /// Approves another person's proposal of a refund, and carries it out.
    ///
    /// - Returns: the proposal and the refund as they are now, in one line.
    func approveRefund(_ id: Int64, because reason: String) async throws -> String {
        let made = try await desk.approve(
            try await proposedRefund(id), because: reason, by: try sender("approve", "\(id)", reason))
        return "\(try await line(ofProposal: id)): \(try await state(after: made))"
    }

    /// Withdraws the person's own proposal, also of another act: who has no door at a terminal is told by the console.
    ///
    /// - Throws: `not_found`; `not_the_proposer`, also for one that was made in the console.
    func withdraw(_ id: Int64) async throws {
        guard let approval = try await ledger.approvals.find(id) else {
            throw Problem(.notFound, "the proposal does not exist")
        }
        try await desk.withdraw(approval, by: try sender("withdraw", "\(id)"))
    }

    /// Does what a person orders, or proposes it; says which proposals the person has to look at first.
    func perform(
        _ order: any PersonOrder, of user: UserID?, by sender: ActSender, because reason: String, seen: [String: JSON],
        needsApproval: Bool, _ beside: Int64?
    ) async throws -> PersonOrderOutcome {
        do {
            return try await desk.perform(
                order, of: user, by: sender, because: reason, seen: seen, needsApproval: needsApproval, beside: beside)
        } catch let problem as Problem where problem.code == .proposalOpen {
            let open = try await ledger.approvals.list(about: order.target(of: user)).filter(\.isOpen)
            guard let newest = open.map(\.id).max() else { throw problem }
            let first = open.map { "\($0.id) by \($0.proposedName) (\($0.reason))" }.joined(separator: ", ")
            throw Refused("proposed about this already: \(first); give --beside \(newest) to propose another one")
        }
    }

    /// Declines another person's proposal of a refund.
    ///
    /// - Returns: the proposal as it is now, in one line.
    func declineRefund(_ id: Int64, because reason: String) async throws -> String {
        try await desk.decline(
            try await proposedRefund(id), because: reason, by: try sender("decline", "\(id)", reason))
        return try await line(ofProposal: id)
    }

    private func line(ofProposal id: Int64) async throws -> String {
        "proposal \(id) is \(try await proposedRefund(id).status.rawValue)"
    }

    /// - Throws: `not_found`.
    private func proposedRefund(_ id: Int64) async throws -> Approval {
        guard let approval = try await ledger.approvals.find(id), Self.refunding.contains(approval.act) else {
            throw Problem(.notFound, "no refund has this proposal")
        }
        return approval
    }

    /// The proposal that the same command made before, whatever the limit is now; nil: it made none.
    ///
    /// The command after its proposal was decided is no new one.
    func proposal(of sender: ActSender) async throws -> PersonOrderOutcome? {
        guard let approval = try await ledger.approvals.find(key: sender.once) else { return nil }
        guard approval.isOpen else {
            throw Refused(
                "proposal \(approval.id) of this is \(approval.status.rawValue); give another --key to propose it again"
            )
        }
        return .proposed(approval.id)
    }
}

// MARK: - Findings

extension TerminalDesk {
    /// Credits a finding's payment to a user, or proposes it to a second person above the limit.
    ///
    /// - Parameters:
    ///   - name: tells this claim from another of the same finding, user and reason.
    ///   - beside: the newest open proposal about the finding that the person has seen; nil: none.
    /// - Throws: `user_unknown` for a user of whom there is no record, unless the person says that the user is new.
    func claim(
        _ id: Int64, for user: UserID, isNewUser: Bool, because reason: String, named name: String,
        beside: Int64? = nil
    ) async throws -> PersonOrderOutcome {
        let sender = try sender("claim", "\(id)", user.rawValue, reason, name)
        if let proposal = try await proposal(of: sender) { return proposal }
        let findings = desk.desks.findings
        let finding = try await findings.find(id).finding
        _ = try FindingActs.payment(of: finding)
        let isNew = try await findings.isNew(user, to: finding)
        if isNew, !isNewUser { throw Problem(.userUnknown, "check the id; if the user is new, give --new-user") }
        return try await perform(
            ClaimOrder(finding: id, isNewUser: isNew), of: user, by: sender, because: reason,
            seen: try await desk.seen(of: finding, for: user), needsApproval: desk.needsSecondPerson(finding), beside)
    }

    /// Gives a finding's payment back at the gateway, or proposes it to a second person above the limit.
    ///
    /// - Parameter name: tells this refund from another of the same finding and reason.
    func refund(
        finding id: Int64, because reason: String, named name: String, beside: Int64? = nil
    ) async throws -> PersonOrderOutcome {
        let sender = try sender("refund-finding", "\(id)", reason, name)
        if let proposal = try await proposal(of: sender) { return proposal }
        let finding = try await desk.desks.findings.find(id).finding
        _ = try FindingActs.payment(of: finding)
        guard desk.desks.findingRefunds.canAskGateway(of: finding) else { throw Problem(.gatewayOff) }
        let user = finding.firstCandidate
        return try await perform(
            FindingRefundOrder(finding: id, account: nil), of: user, by: sender, because: reason,
            seen: try await desk.seen(of: finding, for: user), needsApproval: desk.needsSecondPerson(finding), beside)
    }
}

// MARK: - Lines

extension TerminalDesk {
    /// What became of an order, in one line: who has to decide, or what there is now.
    ///
    /// - Parameter words: says what was made; nil: the line says the refund or purchase as it is now.
    func line(
        of what: String, _ outcome: PersonOrderOutcome, _ words: ([String: JSON]) -> String? = { _ in nil }
    ) async throws -> String {
        switch outcome {
        case .proposed(let id): "\(what): proposal \(id) waits for a second person"
        case .done(let made): if let line = words(made) { line } else { try await state(after: made) }
        }
    }

    /// What became of a claim, in one line, with the finding as it is now.
    func line(ofFinding id: Int64, _ outcome: PersonOrderOutcome) async throws -> String {
        let line = try await line(of: "finding \(id)", outcome)
        guard case .done = outcome else { return line }
        let isOpen = try await desk.desks.findings.find(id).finding.isOpen
        return "finding \(id) is \(isOpen ? "open" : "resolved"): \(line)"
    }

    /// The refund or purchase that an act made, as it is now: an act can be done while the gateway still has to decide.
    private func state(after made: [String: JSON]) async throws -> String {
        if let id = made["refund"]?.integer, let refund = try await ledger.refunds.find(id).map(RefundBody.init) {
            let amount = RefundRow.amount(of: refund)
            return "refund \(id) of purchase \(refund.purchaseID) is \(refund.status): \(amount)"
        }
        if let id = made["purchase"]?.integer, let purchase = try await ledger.purchases.find(id) {
            return "purchase \(id) of \(purchase.user.rawValue) is \(purchase.status.rawValue): \(purchase.coins) coins"
        }
        return made.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text ?? $0.value.written)" }
            .joined(separator: ", ")
    }
}
