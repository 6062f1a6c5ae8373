import Hummingbird
import Ledger
import LedgerWire
import PGVerifier

/// Receipts of users.
struct ReceiptsController: Sendable {
    let desk: ReceiptDesk
    /// Whether the user is the one in the path, for whom a service acts, and not the caller.
    var isOfUserInPath = false

    /// The same, of the user in the path.
    var ofUserInPath: Self { Self(desk: desk, isOfUserInPath: true) }

    /// `POST /v1/receipts`, `POST /v1/users/{user}/receipts`: 201 with a new purchase, 200 with an earlier one, 202 if the receipt waits.
    func present(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try isOfUserInPath ? context.requireUserInPath() : context.requireUser()
        let body = try await request.decode(as: ReceiptRequestBody.self, context: context)
        let (receipt, isTest) = try await desk.receipt(in: body, fromService: isOfUserInPath)
        switch try await desk.present(receipt, by: user, signedAsTest: isTest) {
        case .credited(let credited, let isRepeat):
            return Response(status: isRepeat ? .ok : .created, json: ReceiptBody(credited))
        case .given(let free, let isRepeat):
            return Response(status: isRepeat ? .ok : .created, json: ReceiptBody(free))
        case .tried(let trial, let isRepeat):
            return Response(status: isRepeat ? .ok : .created, json: ReceiptBody(trial))
        case .waiting(let reason, let isKept):
            return try Response(
                status: .accepted, headers: reason.mayEnd ? [.retryAfter: "5"] : [:],
                json: WaitingReceiptBody(reason, isKept: isKept))
        }
    }
}
