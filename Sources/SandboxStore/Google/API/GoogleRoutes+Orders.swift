import FoundationEssentials
import Hummingbird
import SandboxSupport

extension GoogleRoutes {
    private static let longestBatch = 1000
    private static let refundableYears = 3
    private static let reviewHours = 24.0

    func order(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        GoogleAnswer.json(try await order(try context.segment("order")))
    }

    /// Several orders; an unknown one fails all.
    func orders(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let ids = request.query.all("orderIds")
        guard (1...Self.longestBatch).contains(ids.count), Set(ids).count == ids.count else {
            throw GoogleRefusal.invalid("orderIds")
        }
        var found: [JSONValue] = []
        for id in ids { found.append(try await order(id)) }
        return GoogleAnswer.json(.object(["orders": .array(found)]))
    }

    private func order(_ id: String) async throws -> JSONValue {
        guard let order = try await play.state.purchase(ofOrder: id).order(at: clock.now) else {
            throw GoogleRefusal.orderNotFound
        }
        return order
    }

    func actOnOrder(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let (id, verb) = try Self.verb(of: "order", context)
        switch verb {
        case "refund": try await refund(id, isRevoked: request.query["revoke"]?.lowercased() == "true")
        case "reviewrefund": try await reviewRefund(id, try await Self.body(request))
        default: throw HTTPError(.notFound)
        }
        return GoogleAnswer.nothing
    }

    /// Refunds what is left of an order.
    private func refund(_ id: String, isRevoked: Bool) async throws {
        let token = try await play.state.purchase(ofOrder: id).token
        let now = clock.now
        let oldest = now.addingTimeInterval(-Double(Self.refundableYears) * 365.25 * 86_400)
        try await play.state.call(token) { (purchase) throws(GoogleRefusal) in
            guard purchase.state == .purchased, purchase.wholeRefund == nil, purchase.createdAt >= oldest else {
                throw .notRefundable
            }
            purchase.refundAll(isRevoked: isRevoked, now: now)
        }
        guard isRevoked else { return }
        let refunded = try await play.state.purchase(ofOrder: id)
        await play.state.add(
            PlayVoid(
                purchase: refunded, voidedAt: now, seenAt: now, reason: 0, source: PlayVoid.byDeveloper,
                quantity: nil))
        await play.publish(.voided(isWhole: true), about: refunded)
    }

    /// What the shop says about a chargeback (OrdersReviewRefundRequest).
    private func reviewRefund(_ id: String, _ body: [String: JSONValue]) async throws {
        try Self.check(body)
        let token = try await play.state.purchase(ofOrder: id).token
        let now = clock.now
        try await play.state.call(token) { (purchase) throws(GoogleRefusal) in
            guard
                let index = purchase.reviews.firstIndex(where: { .string($0.token) == body["pendingRefundToken"] }),
                now < purchase.reviews[index].askedAt.addingTimeInterval(Self.reviewHours * 3600)
            else { throw .invalid("pendingRefundToken") }
            purchase.reviews[index].answers.append(
                .object(["at": RFC3339Time.nanoseconds(now), "body": .object(body)]))
        }
    }

    private static func check(_ body: [String: JSONValue]) throws(GoogleRefusal) {
        switch body["refundPreference"] {
        case .string("DECLINE"), .string("APPROVE"), .string("NEUTRAL"): break
        default: throw .invalid("refundPreference")
        }
        guard case .bool = body["sampleContentProvided"] else { throw .invalid("sampleContentProvided") }
        switch body["consumptionPercentageMilliunits"] {
        case nil, .null: break
        case .number(let number) where Int(number.description).map((0...100_000).contains) == true: break
        default: throw .invalid("consumptionPercentageMilliunits")
        }
        if case .array(let events) = body["consumptionUsageEvents"], events.count > 1000 {
            throw .invalid("consumptionUsageEvents")
        }
    }
}
