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
}

/// The request of a grant.
struct GrantRequestBody: Decodable {
    let coins: CoinCount
    let reason: NonEmpty
    let issuer: NonEmpty?
    let expiresAt: TimeMember?

    typealias CodingKeys = GrantRequest.CodingKeys
}

extension GrantBody {
    init(_ granted: Granted) {
        self.init(
            grant: Act(journalEntryID: granted.journalEntryID, lotID: granted.lotID, coins: granted.coins),
            balance: BalanceBody(granted.balance))
    }
}
