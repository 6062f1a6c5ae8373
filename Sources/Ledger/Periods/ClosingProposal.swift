package import Foundation

/// A closing of the books that one person proposes in the console, and that another person carries out.
package struct ClosingProposal: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable, CaseIterable {
        /// A second person has to carry it out.
        case waiting
        /// A second person has closed the books.
        case closed
        case withdrawn
    }

    package let id: Int64
    /// Everything effective before this moment is to be closed.
    package let until: Date
    /// What was open when it was proposed: the items of the checklist, added up.
    package let openItems: Int64
    package let reason: String
    package let proposedBy: String
    package let proposedName: String
    package let proposedAt: Date
    package let status: Status
    package let decidedName: String?
    package let decidedAt: Date?

    package var proposer: Identity { Identity(proposedBy, named: proposedName) }
}

/// A closing to propose.
package struct ClosingDraft: Sendable {
    /// Of the form: one that is sent twice is one proposal.
    package let key: String
    package let until: Date
    package let openItems: Int64
    package let reason: String
    package let proposer: Person

    package init(key: String, until: Date, openItems: Int64, reason: String, proposer: Person) {
        self.key = key
        self.until = until
        self.openItems = openItems
        self.reason = reason
        self.proposer = proposer
    }
}
