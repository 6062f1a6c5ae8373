import Ledger
import LedgerWire

extension WalletController: Feature {
    static let routes: [Route<Self>] =
        routes("My", of: "the caller", below: "/v1/me", .user, .me) { $0 }
        + routes("User", of: "a user", below: "/v1/users/{user}", .serviceRead, .users, [.user]) { $0.ofUserInPath }

    /// The routes of the wallets of one kind of owner.
    ///
    /// - Parameters:
    ///   - name: the owner in the operations' names, such as `My` of `listMyLots`.
    ///   - inPath: the parameters of `path`.
    ///   - wallet: the controller of these wallets.
    private static func routes(
        _ name: String, of owner: String, below path: String, _ callers: Callers, _ tag: Operation.Tag,
        _ inPath: [Operation.Parameter] = [], _ wallet: @escaping @Sendable (Self) -> Self
    ) -> [Route<Self>] {
        [
            Route(
                .read(
                    "get\(name)Balance", "\(path)/balance", callers, tag,
                    "Get \(owner)'s balance",
                    parameters: inPath + [
                        .query(
                            "at", .time,
                            "the balance at this past moment, including what was recorded in its millisecond",
                            example: "2026-11-20T10:00:00.000Z")
                    ],
                    answers: [.ok(BalanceBody.self, "The balance.")])
            ) { wallet($0).balance },
            Route(
                .list(
                    "list\(name)Purchases", "\(path)/purchases", callers, tag,
                    "List \(owner)'s purchases, newest first",
                    parameters: inPath + [
                        .from, .to, .query("status", .choice(Purchase.Status.self), "only items with this status"),
                    ],
                    page: ListBody<PurchaseBody>.self)
            ) { wallet($0).purchases },
            Route(
                .read(
                    "get\(name)Purchase", "\(path)/purchases/{id}", callers, tag,
                    "Get one of \(owner)'s purchases",
                    parameters: inPath + [.purchase],
                    answers: [.ok(PurchaseBody.self, "The purchase.")],
                    refusals: [.notFound])
            ) { wallet($0).purchase },
            Route(
                .list(
                    "list\(name)Statement", "\(path)/statement", callers, tag,
                    "List the acts on \(owner)'s coins, newest first",
                    parameters: inPath + [
                        .from, .to,
                        .query(
                            "kind", .choice(StatementEntry.kinds),
                            """
                            only acts of this kind; such a page can have fewer items than `limit` without being the \
                            last
                            """),
                    ],
                    page: ListBody<StatementEntryBody>.self)
            ) { wallet($0).statement },
            Route(
                .list(
                    "list\(name)Lots", "\(path)/lots", callers, tag,
                    "List \(owner)'s lots that have coins left, by expiry",
                    parameters: inPath + [
                        .query(
                            "expires_before", .time, "only lots that expire before this moment",
                            example: "2026-11-20T10:00:00.000Z"),
                        .query("kind", .choice(LotKind.self), "only items of this kind"),
                    ],
                    page: ListBody<LotBody>.self)
            ) { wallet($0).lots },
            Route(
                .list(
                    "list\(name)Holds", "\(path)/holds", callers, tag,
                    "List \(owner)'s holds, newest first",
                    parameters: inPath + [
                        .from, .to, .query("status", .choice(Hold.Status.self), "only items with this status"),
                    ],
                    page: ListBody<HoldBody>.self)
            ) { wallet($0).holds },
        ]
    }

    static func make(with deps: Deps) throws -> Self? {
        WalletController(ledger: deps.ledger, timeZone: deps.timeZone)
    }
}
