import Foundation
import Ledger
import LedgerServer

/// Something that waits for the person who reads the first page.
struct ToDoItem: Sendable, Equatable {
    let since: Date
    let what: String
    let user: UserID?
    /// The page where it is done.
    let link: String

    /// How many are listed.
    static let most = 12

    /// The oldest of several lists, each with its oldest ones.
    static func oldest(of lists: [[ToDoItem]]) -> [ToDoItem] {
        Array(lists.joined().sorted { ($0.since, $0.link) < ($1.since, $1.link) }.prefix(most))
    }
}

extension HomePage {
    /// What the person can do something about, oldest first: each list is read by an index of what is open.
    func toDo(_ visit: Visit) async throws -> [ToDoItem] {
        var lists = [
            try await findings(visit), try await receipts(visit), try await refunds(visit),
        ]
        if visit.may(.approve) {
            lists.append(try await approvals(visit))
            lists.append(try await closings(visit))
            lists.append(try await accounts(visit))
        }
        if visit.may(.readBooks) { lists.append(try await disputes(visit)) }
        return ToDoItem.oldest(of: lists)
    }

    /// A closing that another person proposed.
    private func closings(_ visit: Visit) async throws -> [ToDoItem] {
        guard let proposal = try await ledger.periods.waitingProposal(),
            !visit.person.identity.isSamePerson(as: proposal.proposer)
        else { return [] }
        let month = ClosingPages.name(of: proposal, in: visit.timeZone)
        return [
            ToDoItem(
                since: proposal.proposedAt, what: "\(visit.text("closingTitle")) \(month), \(proposal.proposedName)",
                user: nil, link: "/console/closing")
        ]
    }

    /// Providers' bank accounts that another person proposed.
    private func accounts(_ visit: Visit) async throws -> [ToDoItem] {
        let waiting = try await ledger.providers.waitingAccounts(limit: ToDoItem.most)
        return waiting.filter { !visit.person.identity.isSamePerson(as: $0.proposer) }.map { waiting in
            ToDoItem(
                since: waiting.proposedAt,
                what: "\(visit.text("accountTitle")): \(waiting.provider.rawValue), \(waiting.proposedBy)", user: nil,
                link: ProviderPages.path(of: waiting.provider))
        }
    }

    private func findings(_ visit: Visit) async throws -> [ToDoItem] {
        try await ledger.findings.list(limit: ToDoItem.most).elements.map { finding in
            var parts = [visit.text("finding_\(finding.kind.rawValue)")]
            if let amount = finding.amount, let currency = finding.currency {
                parts.append(Show.money(amount, currency))
            }
            if let assignee = finding.assignee { parts.append(assignee) }
            return ToDoItem(
                since: finding.foundAt, what: parts.joined(separator: ", "), user: finding.user,
                link: "/console/findings/\(finding.id)")
        }
    }

    private func receipts(_ visit: Visit) async throws -> [ToDoItem] {
        try await ledger.retries.listWaiting(limit: ToDoItem.most).elements.map { receipt in
            ToDoItem(
                since: receipt.createdAt, what: "\(visit.text("toDoReceipt")), \(receipt.payment.merchantUID)",
                user: receipt.user, link: CustomerPath.page(of: receipt.user) + "#receipt-\(receipt.id)")
        }
    }

    private func refunds(_ visit: Visit) async throws -> [ToDoItem] {
        try await ledger.refunds.listWaiting(limit: ToDoItem.most).elements.map { waiting in
            let refund = waiting.refund
            let amount = Show.refund(refund.amount, of: refund.foreign)
            return ToDoItem(
                since: refund.requestedAt, what: "\(visit.text("toDoRefund")), \(amount)", user: refund.user,
                link: CustomerPath.page(of: refund.user) + "#refund-\(refund.id)")
        }
    }

    /// Proposals of other people.
    private func approvals(_ visit: Visit) async throws -> [ToDoItem] {
        try await ledger.approvals.listOpen().filter { !visit.person.proposed($0) }.prefix(ToDoItem.most).map {
            approval in
            ToDoItem(
                since: approval.proposedAt,
                what: "\(visit.text("toDoApproval")): \(visit.text(ConsoleAct.text(of: approval.act)))",
                user: approval.user, link: "/console/approvals/\(approval.id)")
        }
    }

    private func disputes(_ visit: Visit) async throws -> [ToDoItem] {
        try await ledger.disputes.list(.open, limit: ToDoItem.most).elements.map { disputed in
            let purchase = disputed.purchase
            return ToDoItem(
                since: disputed.dispute.openedAt,
                what: "\(visit.text("toDoDispute")), \(Show.money(purchase.amount, purchase.currency.code))",
                user: disputed.dispute.user, link: "/console/disputes")
        }
    }
}
