import Foundation
import Postgres

/// What a merge must know besides the accounts.
struct MergeState: Sendable, Equatable {
    let isFormerKnown: Bool
    let isUserKnown: Bool
    /// Whether a charge of the former user's card is under way.
    let isCharging: Bool
    /// Whether one of the two waits to be forgotten.
    let isForgetting: Bool
    /// The coins of each of the former user's open lots, of one lot more than an act may change at most.
    let lots: [Int64]
    /// The purchases, holds and orders of the former user, up to one more than a merge moves.
    let records: Int64
}

/// A merge to insert.
struct UserMerge: Sendable, Equatable {
    let former: UserID
    let formerStripe: Stripe
    let user: UserID
    let stripe: Stripe
    let isRename: Bool
    let coins: Int64
    let debt: Int64
    let sentEntryID: Int64?
    let receivedEntryID: Int64?
    let mergedAt: Date
    let mergedBy: UserID
    let reason: String

    static let insert = BulkInsert<UserMerge>(
        into: "user_merge",
        [
            .init("former", \.former), .init("former_stripe", \.formerStripe), .init("user_id", \.user),
            .init("stripe", \.stripe), .init("is_rename", \.isRename), .init("coins", \.coins),
            .init("debt", \.debt), .init("sent_entry_id", \.sentEntryID),
            .init("received_entry_id", \.receivedEntryID), .init("merged_at", \.mergedAt),
            .init("merged_by", \.mergedBy), .init("reason", \.reason),
        ])
}

/// A plan's merge, of which a batch has one at most, and what former ids refer to.
struct PlannedMerges: Sendable {
    let aliases: UserAliases
    private let states: [UserID: MergeState]
    private let mostRecords: Int64
    private var new: [UserMerge] = []

    init(_ snapshot: Snapshot) {
        aliases = snapshot.aliases
        states = snapshot.merges
        mostRecords = Int64(snapshot.lotLimits.mergedRecords)
    }

    /// Why a merge is refused, whatever the users have; nil: it is not.
    func refusal(of act: MergeUsers) -> Refusal? {
        guard act.former != act.user else { return .mergeIntoItself }
        for user in [act.former, act.user] {
            if user.isForgotten { return .userForgotten }
            if let other = aliases[user] { return .userMerged(into: other) }
        }
        guard let state = states[act.former], state.isFormerKnown else { return .unknownUser(act.former) }
        if act.isRename && state.isUserKnown { return .userExists(act.user) }
        if !act.isRename && !state.isUserKnown { return .unknownUser(act.user) }
        if state.isForgetting { return .forgettingWaits }
        if state.records > mostRecords { return .tooManyRecords(limit: mostRecords) }
        return state.isCharging ? .topUpInProgress : nil
    }

    /// The coins of each of the former user's open lots, of one more than an act may change at most.
    func lots(of act: MergeUsers) -> [Int64] { states[act.former]?.lots ?? [] }

    mutating func insert(_ merge: UserMerge) { new.append(merge) }
}

extension PlannedMerges {
    static func lookUps(for touches: BatchTouches, _ limits: LotLimits) -> [PostgresQuery<SnapshotPart>] {
        [
            UserAliases.among(Array(touches.users)).into { snapshot, found in
                for alias in found { snapshot.aliases.add(former: alias.former, user: alias.user) }
            }
        ]
            + touches.merges.map { merge in
                MergeState.of(merge.former, into: merge.into, limits)
                    .into { $0.merges[merge.former] = $1 }
            }
    }

    /// To be written after the postings and before the lots: whatever the act changes besides is the other user's.
    var facts: [PostgresQuery<Int>] { PostgresQuery.facts(new, UserMerge.insert) }
}

extension MergeState {
    static func of(_ former: UserID, into user: UserID, _ limits: LotLimits) -> PostgresQuery<MergeState> {
        PostgresQuery.one(
            """
            SELECT is_known_user($1), is_known_user($2),
                EXISTS (SELECT FROM top_up_charge WHERE user_id = $1 AND status = 'waiting'),
                EXISTS (SELECT FROM forgetting WHERE user_id IN ($1, $2) AND status = 'waiting'),
                ARRAY(SELECT remaining + held FROM lot WHERE user_id = $1 AND is_open LIMIT $3),
                (SELECT count(*) FROM (
                    (SELECT FROM purchase WHERE user_id = $1 LIMIT $4) UNION ALL
                    (SELECT FROM hold WHERE user_id = $1 LIMIT $4) UNION ALL
                    (SELECT FROM "order" WHERE user_id = $1 LIMIT $4)) AS record)
            """, [former.rawValue, user.rawValue, Int64(limits.act + 1), Int64(limits.mergedRecords + 1)]
        ) { row in
            MergeState(
                isFormerKnown: try row[0], isUserKnown: try row[1], isCharging: try row[2],
                isForgetting: try row[3], lots: try row.decode(4, as: [Int64].self), records: try row[5])
        }
    }
}
