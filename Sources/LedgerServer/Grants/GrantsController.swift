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
