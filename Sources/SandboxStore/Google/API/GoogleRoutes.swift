import FoundationEssentials
import Hummingbird
import SandboxSupport

/// The Google Play Developer API, as far as one-time products need it.
struct GoogleRoutes: Sendable {
    let play: GooglePlay
    let tokens: AccessTokens
    let quota: VoidedQuota
    let clock: SandboxClock

    typealias Handler = @Sendable (Request, SandboxRequestContext) async throws -> Response

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        let api = router.group("google/androidpublisher/v3/applications/{package}")
        api.get("purchases/productsv2/tokens/{token}", use: call(purchase))
        api.get("purchases/products/{product}/tokens/{token}", use: call(purchaseOfProduct))
        api.post("purchases/products/{product}/tokens/{token}", use: call(act))
        api.get("purchases/voidedpurchases", use: call(seesFinances: true, voidedPurchases))
        api.get("orders:batchGet", use: call(seesFinances: true, orders))
        api.get("orders/{order}", use: call(seesFinances: true, order))
        api.post("orders/{order}", use: call(seesFinances: true, actOnOrder))
    }

    /// A call, which needs a good token and permission, and sees what Google took back meanwhile.
    private func call(seesFinances: Bool = false, _ handle: @escaping Handler) -> Handler {
        { request, context in
            guard await tokens.accepts(request.headers[.authorization], now: clock.base) else {
                throw GoogleRefusal.unauthenticated
            }
            let settings = play.settings.current
            guard settings.isPermitted, settings.seesFinances || !seesFinances else {
                throw GoogleRefusal.permissionDenied
            }
            guard try context.segment("package") == play.app.packageName else {
                throw GoogleRefusal.applicationNotFound
            }
            await play.voidUnacknowledged()
            return try await handle(request, context)
        }
    }

    // MARK: Purchases

    private func purchase(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        GoogleAnswer.json(try await play.state.purchase(try context.segment("token")).purchaseV2)
    }

    private func purchaseOfProduct(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let purchase = try await play.state.purchase(try context.segment("token"))
        let line = purchase.lines[try Self.line(of: try context.segment("product"), in: purchase)]
        return GoogleAnswer.json(purchase.purchaseV1(of: line))
    }

    /// Consumes or acknowledges.
    private func act(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let product = try context.segment("product")
        let (token, verb) = try Self.verb(of: "token", context)
        switch verb {
        case "consume":
            try await play.state.call(token) { (purchase) throws(GoogleRefusal) in
                let index = try Self.line(of: product, in: purchase)
                guard purchase.state == .purchased, !purchase.lines[index].isConsumed else { throw .notOwned }
                purchase.lines[index].isConsumed = true
            }
        case "acknowledge":
            let payload = try await Self.body(request)["developerPayload"]
            try await play.state.call(token) { (purchase) throws(GoogleRefusal) in
                _ = try Self.line(of: product, in: purchase)
                guard purchase.state == .purchased else { throw .notOwned }
                purchase.isAcknowledged = true
                if case .string(let text) = payload { purchase.developerPayload = text }
            }
        default: throw HTTPError(.notFound)
        }
        return GoogleAnswer.nothing
    }

    private static func line(of product: String, in purchase: PlayPurchase) throws(GoogleRefusal) -> Int {
        guard let index = purchase.lines.firstIndex(where: { $0.productID == product }) else {
            throw .tokenOfOtherProduct
        }
        return index
    }

    // MARK: Requests

    /// The id and the verb of a segment such as `{id}:consume`, whose id is percent-decoded.
    static func verb(of name: String, _ context: SandboxRequestContext) throws -> (id: String, verb: Substring) {
        let segment = try context.parameters.require(name)
        guard let colon = segment.lastIndex(of: ":") else { throw HTTPError(.notFound) }
        return (
            PercentEncoding.decode(Array(segment[..<colon].utf8)), segment[segment.index(after: colon)...]
        )
    }

    /// The members of a JSON body; an empty one has none.
    static func body(_ request: Request) async throws -> [String: JSONValue] {
        let bytes = try await request.body.collect(upTo: Request.maxBodyBytes)
        guard bytes.readableBytes > 0 else { return [:] }
        guard case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes.readableBytesView))
        else { throw GoogleRefusal.invalid("body") }
        return members
    }
}
