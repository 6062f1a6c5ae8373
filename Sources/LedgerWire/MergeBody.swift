public import Foundation

/// A request to merge a user into another one.
public struct MergeRequest: Codable, Hashable, Sendable {
    /// The id of the user that both are from then on.
    public var into: Member.Owner
    /// Whether that id is new: the user is renamed; nil: it is somebody's.
    ///
    /// - Default: `false`
    public var newUser: Bool?
    /// The reason.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case into, reason
        case newUser = "new_user"
    }

    /// Creates a request.
    public init(into: String, newUser: Bool? = nil, reason: String) {
        self.into = into
        self.newUser = newUser
        self.reason = reason
    }
}

/// A merge, and the user's balance after it.
public struct MergeBody: Codable, Hashable, Sendable {
    /// The merge.
    public let merge: Act
    /// The user's balance after the act.
    ///
    /// Coins that pay a debt which came with the merge do so at once after it.
    public let balance: BalanceBody

    /// The merge of a user into another one.
    public struct Act: Codable, Hashable, Sendable {
        /// The id that refers to the other user now.
        public let formerID: String
        /// The user.
        public let user: String
        /// Whether the id was new.
        public let newUser: Bool
        /// The coins that moved, in the wallet and on hold.
        public let coins: Int64
        /// The owed coins that moved.
        public let debt: Int64
        /// The journal entry of the user's accounts; nil: there was nothing to move.
        public let journalEntryID: Member.ID?
        /// The journal entry of the former user's accounts; nil: there was nothing to move.
        public let sentEntryID: Member.ID?
        /// When they were merged.
        public let mergedAt: Date
        /// The reason.
        public let reason: String

        private enum CodingKeys: String, CodingKey {
            case user, coins, debt, reason
            case formerID = "former_id"
            case newUser = "new_user"
            case journalEntryID = "journal_entry_id"
            case sentEntryID = "sent_entry_id"
            case mergedAt = "merged_at"
        }

        /// Creates it from its members.
        public init(
            formerID: String, user: String, newUser: Bool, coins: Int64, debt: Int64, journalEntryID: Int64?,
            sentEntryID: Int64?, mergedAt: Date, reason: String
        ) {
            self.formerID = formerID
            self.user = user
            self.newUser = newUser
            self.coins = coins
            self.debt = debt
            self.journalEntryID = journalEntryID
            self.sentEntryID = sentEntryID
            self.mergedAt = mergedAt
            self.reason = reason
        }
    }

    /// Creates it from its members.
    public init(merge: Act, balance: BalanceBody) {
        self.merge = merge
        self.balance = balance
    }
}
