import FoundationEssentials
import Hummingbird
import SandboxSupport

/// The App Store Server API of one environment.
struct AppleRoutes: Sendable {
    let environment: AppleEnvironment
    let app: SandboxStoreConfiguration.Apple
    let state: AppleState
    let signer: AppleSigner
    let notifications: AppleNotifications
    let limits: AppleLimits
    let token: ClientToken
    let clock: SandboxClock

    typealias Handler = @Sendable (Request, SandboxRequestContext) async throws -> Response

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        let api = router.group(RouterPath(environment.path + "/inApps"))
        api.get("v1/transactions/{id}", use: call(.transactionInfo, transactionInfo))
        api.get("v1/history/{id}", use: call(.transactionHistory, historyWithoutFinished))
        api.get("v2/history/{id}", use: call(.transactionHistory, history))
        api.get("v2/refund/lookup/{id}", use: call(.refundHistory, refunds))
        api.put("v1/transactions/consumption/{id}", use: call(.sendConsumption, sendConsumptionV1))
        api.put("v2/transactions/consumption/{id}", use: call(.sendConsumption, sendConsumption))
        api.post("v1/transactions/{id}/finish", use: call(.finishTransaction, finish))
        api.put("v1/transactions/{id}/appAccountToken", use: call(.setAppAccountToken, setAppAccountToken))
        api.get("v1/lookup/{order}", use: call(.lookUpOrder, lookUp))
        api.post("v1/notifications/history", use: call(.notificationHistory, notificationHistory))
        api.post("v1/notifications/test", use: call(.testNotification, requestTest))
        api.get("v1/notifications/test/{token}", use: call(.testNotification, testStatus))
    }

    /// A call, which needs a good token, and counts.
    private func call(_ call: AppleCall, _ handle: @escaping Handler) -> Handler {
        { request, context in
            guard token.isGood(request.headers[.authorization], now: clock.base) else {
                throw AppleRefusal.unauthorized
            }
            if environment == .production, await !state.isReleased { throw AppleRefusal.unauthorized }
            try await limits.count(call, in: environment, now: clock.base)
            return try await handle(request, context)
        }
    }

    func signed(_ transaction: AppleTransaction) throws -> JSONValue {
        .string(try signer.sign(transaction.payload(signedAt: clock.now), transaction.defect))
    }

    private func transactionInfo(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let transaction = try await state.transaction(try context.segment("id"), in: environment)
        return AppleAnswer.json(.object(["signedTransactionInfo": try signed(transaction)]))
    }

    private func finish(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let transaction = try await state.transaction(try context.segment("id"), in: environment)
        await state.finish(transaction.id, in: environment, now: clock.now)
        return Response(status: .ok)
    }

    private func setAppAccountToken(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard case .string(let text) = try await Self.body(request)["appAccountToken"], UUID(uuidString: text) != nil
        else { throw AppleRefusal.tokenIsNoUUID }
        try await state.setAppAccountToken(
            text.lowercased(), ofOriginal: try context.segment("id"), in: environment)
        return Response(status: .ok)
    }

    // MARK: Consumption

    private func sendConsumption(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await Self.body(request)
        try Self.check(body)
        return try await keepConsumption(body, context)
    }

    /// The version for Advanced Commerce, of which only the consent is checked.
    private func sendConsumptionV1(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await Self.body(request)
        guard body["customerConsented"] == .bool(true) else { throw AppleRefusal.notConsented }
        return try await keepConsumption(body, context)
    }

    private func keepConsumption(
        _ body: [String: JSONValue], _ context: SandboxRequestContext
    ) async throws -> Response {
        let transaction = try await state.transaction(try context.segment("id"), in: environment)
        guard ["CONSUMABLE", "AUTO_RENEWABLE"].contains(transaction.productType) else {
            throw AppleRefusal.typeNotSupported
        }
        await state.consume(
            transaction.id, in: environment,
            .object(["at": RFC3339Time.nanoseconds(clock.now), "body": .object(body)]))
        return Response(status: .accepted)
    }

    /// The rules of ConsumptionRequest.
    private static func check(_ body: [String: JSONValue]) throws(AppleRefusal) {
        guard body["customerConsented"] == .bool(true) else { throw .notConsented }
        guard case .bool = body["sampleContentProvided"] else { throw .invalidSampleContent }
        let states = [
            "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
            "UNDELIVERED_OTHER",
        ]
        guard case .string(let delivery) = body["deliveryStatus"], states.contains(delivery) else {
            throw .invalidDeliveryStatus
        }
        let percentage: Int?
        switch body["consumptionPercentage"] {
        case nil, .null: percentage = nil
        case .number(let number):
            guard let value = Int(number.description), (0...100_000).contains(value) else { throw .generalBadRequest }
            percentage = value
        default: throw .generalBadRequest
        }
        switch body["refundPreference"] {
        case nil, .null, .string("DECLINE"), .string("GRANT_FULL"): break
        case .string("GRANT_PRORATED") where percentage ?? 0 > 0: break
        default: throw .generalBadRequest
        }
    }

    // MARK: Requests

    /// The members of a JSON body; an unreadable one has none.
    static func body(_ request: Request) async throws -> [String: JSONValue] {
        let bytes = try await request.body.collect(upTo: Request.maxBodyBytes)
        guard case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes.readableBytesView))
        else { throw AppleRefusal.generalBadRequest }
        return members
    }
}
