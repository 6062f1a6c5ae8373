import Hummingbird
import Ledger
import LedgerWire

/// Grants of coins by services.
struct GrantsController: Sendable {
    let acts: KeyedActs
    let grants: GrantActs

    /// `POST /v1/users/{user}/grants`; the default issuer is the caller.
    func grant(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        return try await acts.perform(request, context, status: .created, as: GrantRequestBody.self) { body, key in
            try await grants.grant(
                body.coins.coins, to: user, because: body.reason.value,
                issuer: body.issuer?.value ?? key.caller.rawValue, expiresAt: body.expiresAt?.date, under: key)
        } render: {
            GrantBody($0)
        }
    }

    /// `POST /v1/grants/{id}/void`; by default all coins that are in the wallet.
    func void(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let id = try context.pathID()
        return try await acts.perform(request, context, status: .created, as: VoidGrantRequestBody.self) { body, key in
            try await grants.void(id, body.coins?.coins, because: body.reason.value, under: key)
        } render: {
            VoidedGrantBody($0)
        }
    }
}

extension GrantsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "grant", "/v1/users/{user}/grants", .serviceGrant, .acts,
                "Grant coins to a user",
                parameters: [.user],
                body: .json(
                    GrantRequestBody.self,
                    .init("welcome", ["coins": 10, "reason": "welcome", "expires_at": "2036-01-31T15:00:00Z"])),
                answers: [.created(GrantBody.self, "The coins are granted.")],
                refusals: [.grantLimitExceeded, .alreadyExpired],
                meanings: [403: "The token lacks the scope, or the grant exceeds a limit."])
        ) { $0.grant },
        Route(
            .act(
                "voidGrant", "/v1/grants/{id}/void", .serviceGrant, .acts,
                "Void a grant, whole or in part",
                """
                Takes back coins of the grant that are in the wallet. Without `coins` it is all of them, and what comes \
                back later by a reversal of a spend or capture is voided, too. Coins on hold stay there: `held`.
                """,
                parameters: [.grant],
                body: .json(
                    VoidGrantRequestBody.self,
                    .init("whole", "all coins in the wallet", ["reason": "granted by mistake"]),
                    .init("part", ["coins": 10, "reason": "granted twice"])),
                answers: [.created(VoidedGrantBody.self, "The coins are voided.")],
                refusals: [.notFound, .exceedsGrant])
        ) { $0.void },
    ]

    static let personOrders: [any PersonOrder.Type] = [GrantOrder.self, GrantVoidOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        GrantsController(acts: deps.desks.acts, grants: deps.desks.grants)
    }
}

/// The request of a grant.
struct GrantRequestBody: Decodable {
    let coins: CoinCount
    let reason: NonEmpty
    let issuer: NonEmpty?
    let expiresAt: TimeMember?

    typealias CodingKeys = GrantRequest.CodingKeys
}

/// The request of a void; by default of all coins in the wallet.
struct VoidGrantRequestBody: Decodable {
    @AllIfAbsent var coins: CoinCount?
    let reason: NonEmpty

    typealias CodingKeys = VoidGrantRequest.CodingKeys
}

extension VoidedGrantBody {
    init(_ voided: GrantVoided) {
        self.init(
            void: Act(
                journalEntryID: voided.journalEntryID, reverses: voided.grantID, lotID: voided.lotID,
                coins: voided.coins, left: voided.left, held: voided.held, reason: voided.reason),
            balance: BalanceBody(voided.balance))
    }
}

extension GrantBody {
    init(_ granted: Granted) {
        self.init(
            grant: Act(journalEntryID: granted.journalEntryID, lotID: granted.lotID, coins: granted.coins),
            balance: BalanceBody(granted.balance))
    }
}
