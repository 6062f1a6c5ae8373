import Hummingbird
import Ledger
import LedgerServer
import WireFormats

extension Visit {
    /// The person, with the names of the form.
    var sender: ActSender {
        get throws(Problem) {
            let once = try form.once()
            return ActSender(person: person, once: once, record: once, key: try actKey())
        }
    }
}

/// What the forms of the console ask for.
extension ApprovalDesk {
    /// Records an act that a form asks for, and does it; the parameters are those of the act of a sender.
    func perform<Value>(
        _ act: ConsoleAct, on target: String, _ visit: Visit, user: UserID? = nil, reason: String = "",
        seen: [String: JSON] = [:], approval: Int64? = nil, made: (Value) -> [String: JSON] = { _ in [:] },
        _ work: (CallerKey) async throws -> Value
    ) async throws -> Value {
        try await perform(
            act.audited, on: target, by: try visit.sender, user: user, reason: reason, seen: seen, approval: approval,
            made: made, work)
    }

    /// Does what a form asks for, or proposes it, and goes back with a notice; shows what is proposed about the same first.
    ///
    /// - Parameters:
    ///   - user: the customer; nil: nobody knows whose the payment of a finding is.
    ///   - seen: what the person saw before.
    ///   - path: the page to go back to; nil: the customer's.
    func perform(
        _ order: any PersonOrder, of user: UserID?, _ visit: Visit, seen: [String: JSON], needsApproval: Bool,
        backTo path: String? = nil
    ) async throws -> Response {
        let back = path ?? user.map { CustomerPath.page(of: $0) } ?? "/console"
        let outcome: PersonOrderOutcome
        do {
            outcome = try await perform(
                order, of: user, by: try visit.sender, because: try visit.form.text("reason"), seen: seen,
                needsApproval: needsApproval, beside: visit.form[SecondProposalPage.field].flatMap { Int64($0) })
        } catch let problem as Problem where problem.code == .proposalOpen {
            let open = try await desks.ledger.approvals.list(about: order.target(of: user)).filter(\.isOpen)
            guard !open.isEmpty else { throw problem }
            return await SecondProposalPage.page(open, order, back: back, visit)
        }
        let notice =
            switch outcome {
            case .proposed: "noticeProposed"
            case .done: ConsoleAct.notice(of: type(of: order).act)
            }
        return visit.redirect(to: back, notice: notice)
    }

    /// The user's purchase of the path.
    ///
    /// - Throws: `not_found`.
    func purchase(_ visit: Visit, of user: UserID) async throws -> Purchase {
        try await desks.ledger.purchases.require(try visit.context.pathID(), of: user)
    }

    /// Whether the form was sent before, and its act is done or refused: then it is only answered again.
    func hasPerformed(_ visit: Visit) async throws -> Bool { try await hasPerformed(under: try visit.actKey()) }
}
