import Hummingbird
import Ledger
import LedgerWire

/// Thresholds of available coins, whose crossing is an event.
struct BalanceAlertsController: Sendable {
    let alerts: BalanceAlerts
    /// Whether it is asked for a user's thresholds, and not for the ledger's.
    var isOfUser = false

    /// The controller of the user in the path.
    var ofUserInPath: Self { Self(alerts: alerts, isOfUser: true) }

    /// `GET /v1/balance-alerts`, `GET /v1/users/{user}/balance-alerts`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let owner = try owner(context)
        guard let found = try await alerts.find(of: owner) else {
            throw Problem(.notFound, isOfUser ? "the user has no thresholds of their own" : "there are no thresholds")
        }
        return try Response(json: BalanceAlertsBody(found, of: owner))
    }

    /// `PUT` of the same: sets them in place of those before.
    func set(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let owner = try owner(context)
        let body = try await request.decode(as: BalanceAlertsRequestBody.self, context: context)
        let (below, above) = (body.below.map(\.coins), body.above.map(\.coins))
        try BalanceAlert.check(below: below, above: above)
        let set = try await alerts.set(
            below: below, above: above, of: owner, by: try context.requirePrincipal().subject)
        return try Response(json: BalanceAlertsBody(set, of: owner))
    }

    /// `DELETE` of the same: a repeat changes nothing.
    func remove(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await alerts.remove(of: try owner(context))
        return Response(status: .noContent)
    }

    private func owner(_ context: LedgerdRequestContext) throws -> BalanceAlertOwner {
        isOfUser ? .user(try context.requireUserInPath()) : .ledger
    }
}

extension BalanceAlert {
    /// Refuses more thresholds than there can be in a direction.
    static func check(below: [Coins], above: [Coins]) throws(InputFault) {
        for (field, thresholds) in [("below", below), ("above", above)] where thresholds.count > most {
            throw InputFault(field, "must have at most \(most) thresholds")
        }
    }
}

/// The request of thresholds.
struct BalanceAlertsRequestBody: Decodable {
    let below: [CoinCount]
    let above: [CoinCount]

    typealias CodingKeys = BalanceAlertsRequest.CodingKeys
}

extension BalanceAlertsBody {
    init(_ alert: BalanceAlert, of owner: BalanceAlertOwner) {
        let user: UserID? = if case .user(let user) = owner { user } else { nil }
        self.init(
            user: user?.rawValue, below: alert.below, above: alert.above, setBy: alert.setBy, setAt: alert.setAt)
    }
}
