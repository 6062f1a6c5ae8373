import Hummingbird
import Ledger
import LedgerWire

/// Reversals of spends and captures by services.
struct ReversalsController: Sendable {
    let acts: KeyedActs
    let reversals: ReversalActs

    /// `POST /v1/spends/{id}/reversals`.
    func reverseSpend(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await reverse(request, context) {
            try await find(try context.pathID(), .spend, orElse: "the spend does not exist")
        }
    }

    /// `POST /v1/holds/{id}/captures/{capture}/reversals`.
    func reverseCapture(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await reverse(request, context) {
            try await find(
                try context.pathID("capture"), .capture(holdID: try context.pathID()),
                orElse: "the hold has no such capture")
        }
    }

    private func reverse(
        _ request: Request, _ context: LedgerdRequestContext, find: () async throws -> Redemption
    ) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: ReversalRequestBody.self) { body, key in
            try await reversals.reverse(
                try await find(), body.coins?.coins, because: body.reason?.value, under: key)
        } render: {
            ReversedRedemptionBody($0)
        }
    }

    private func find(_ id: Int64, _ act: Redemption.Act, orElse detail: String) async throws -> Redemption {
        guard let redemption = try await acts.ledger.redemptions.find(id), redemption.act == act else {
            throw Problem(.notFound, detail)
        }
        return redemption
    }
}
