public import Foundation

/// An act in the console.
public struct AuditBody: Codable, Hashable, Sendable {
    /// The record's id.
    public let id: Member.ID
    /// When the act was begun.
    public let actedAt: Date
    /// Who acted: the identity provider's name of the person.
    public let subject: String
    /// The person's name then.
    public let name: String
    /// The person's role then.
    ///
    /// - Values: `viewer`, `support`, `finance`, `administrator`
    public let role: String
    /// The act, such as `refund`.
    ///
    /// - Schema: `AuditAct`
    public let act: String
    /// What it was done to, such as `purchase:17`.
    public let target: String
    /// The customer; nil: it concerned none.
    public let user: String?
    /// Why; empty for an act that needs no reason.
    public let reason: String
    /// What the person saw before and asked for, as JSON text.
    public let seen: String
    /// The proposal that it made or decided.
    public let approval: Member.ID?
    /// The name of the other person of the proposal.
    public let secondPerson: String?
    /// `proposed`: it waits for a second person; `unknown`: the database or the gateway did not answer; nil: the
    /// process ended before it was recorded.
    ///
    /// - Values: `done`, `proposed`, `refused`, `unknown`
    public let outcome: String?
    /// What was made, or the code of the refusal, as JSON text.
    public let detail: String?

    private enum CodingKeys: String, CodingKey {
        case id, subject, name, role, act, target, user, reason, seen, approval, outcome, detail
        case actedAt = "acted_at"
        case secondPerson = "second_person"
    }

    /// Creates a record.
    public init(
        id: Int64, actedAt: Date, subject: String, name: String, role: String, act: String, target: String,
        user: String?, reason: String, seen: String, approval: Int64?, secondPerson: String?, outcome: String?,
        detail: String?
    ) {
        self.id = id
        self.actedAt = actedAt
        self.subject = subject
        self.name = name
        self.role = role
        self.act = act
        self.target = target
        self.user = user
        self.reason = reason
        self.seen = seen
        self.approval = approval
        self.secondPerson = secondPerson
        self.outcome = outcome
        self.detail = detail
    }
}

extension AuditBody: ListedBody {
    /// `acts`.
    public static let listName = "acts"
}
