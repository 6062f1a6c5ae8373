import Hummingbird
import Ledger
import LedgerWire

/// Merges of users by services.
struct MergesController: Sendable {
    let acts: KeyedActs
    let merges: MergeActs

    /// `POST /v1/users/{user}/merge`.
    func merge(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        // The id as it was sent: it may be a former one since the first request under the key.
        let former = try context.requireOwnerInPath("user")
        return try await acts.perform(request, context, status: .created, as: MergeRequestBody.self) { body, key in
            try await merges.merge(
                former, into: body.into.id, isNewUser: body.newUser ?? false, because: body.reason.value, under: key)
        } render: {
            MergeBody($0)
        }
    }
}

extension MergesController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "mergeUser", "/v1/users/{user}/merge", .serviceWrite, .acts,
                "Merge a user into another one, or rename a user",
                """
                All that the user has becomes the other's: coins with their lots, holds, debts, purchases, refunds, disputes, \
                orders, receipts that wait, consents to top-up and thresholds of alerts. The id refers to the other user from \
                then on: requests, payments and receipts for it are for the other one, and responses say so in `Merged-Into`. \
                With `new_user` the id in `into` must be nobody's: the user is renamed. There is no way back.
                """,
                parameters: [.user],
                body: .json(
                    MergeRequestBody.self,
                    .init(
                        "merge", "two accounts of one person", ["into": "bob", "reason": "two sign-ins of one person"]),
                    .init("rename", "a new id", ["into": "u-4711", "new_user": true, "reason": "new ids since 2027"])),
                answers: [.created(MergeBody.self, "The users are one.")],
                refusals: [
                    .userUnknown, .userExists, .userMerged, .topUpInProgress, .forgettingWaiting, .tooManyLots,
                    .tooManyRecords,
                ])
        ) { $0.merge }
    ]

    static let personOrders: [any PersonOrder.Type] = [MergeOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        MergesController(acts: deps.desks.acts, merges: deps.desks.merges)
    }
}

/// The request of a merge.
struct MergeRequestBody: Decodable {
    let into: AccountOwner
    let newUser: Bool?
    let reason: NonEmpty

    typealias CodingKeys = MergeRequest.CodingKeys
}

extension MergeBody {
    init(_ merged: UsersMerged) {
        self.init(
            merge: Act(
                formerID: merged.former.rawValue, user: merged.balance.user.rawValue, newUser: merged.isRename,
                coins: merged.coins, debt: merged.debt, journalEntryID: merged.journalEntryID,
                sentEntryID: merged.sentEntryID, mergedAt: merged.mergedAt, reason: merged.reason),
            balance: BalanceBody(merged.balance))
    }
}
