import FoundationEssentials
import Hummingbird
import SandboxSupport

/// The control API of Google Play: purchases and what becomes of them, permissions, times, limits.
///
/// The real Google Play has no such API.
struct GoogleControl: Sendable {
    let play: GooglePlay
    let keys: GoogleKeys
    let tokens: AccessTokens
    let quota: VoidedQuota

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("sandbox/google", use: show)
        router.put("sandbox/google/app", use: setApp)
        router.put("sandbox/google/limits", use: setLimits)
        router.post("sandbox/google/keys", use: replaceKey)
        router.delete("sandbox/google/tokens", use: revokeTokens)
        router.post("sandbox/google/purchases", use: buy)
        router.get("sandbox/google/purchases", use: list)
        router.get("sandbox/google/purchases/{token}", use: showPurchase)
        router.patch("sandbox/google/purchases/{token}", use: change)
    }

    // MARK: The app

    /// What a shop sets up: the file of its service account, the URLs, and whose pushes to trust.
    private func show(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let address = "http://\(request.head.authority ?? "127.0.0.1")/google"
        let settings = play.settings.current
        let key = try GoogleKeys.serviceAccount
        return ControlAnswer.make(
            .ok,
            .object([
                "package_name": .string(play.app.packageName),
                "service_account": .object([
                    "type": .string("service_account"), "project_id": .string("sandbox"),
                    "private_key_id": .string(key.id), "private_key": .string(key.key.pkcs8PEMRepresentation),
                    "client_email": .string(play.app.serviceAccount), "client_id": .string("100000000000000000000"),
                    "token_uri": .string(address + "/token"),
                ]),
                "urls": .object([
                    "api": .string(address), "token": .string(address + "/token"),
                    "certs": .string(address + "/oauth2/v1/certs"), "jwks": .string(address + "/oauth2/v3/certs"),
                ]),
                "push_url": .text(settings.pushURL),
                "push_audience": .text(settings.audience ?? settings.pushURL),
                "push_email": .string(settings.pushEmail), "subscription": .string(settings.subscription),
                "all_notifications": .bool(settings.tellsOneTime), "is_permitted": .bool(settings.isPermitted),
                "sees_finances": .bool(settings.seesFinances),
                "acknowledge_within": .int(Int(settings.acknowledgeWithin)),
                "test_acknowledge_within": .int(Int(settings.testAcknowledgeWithin)),
                "minimum_backoff": .int(Int(settings.backoff.lowerBound)),
                "maximum_backoff": .int(Int(settings.backoff.upperBound)),
            ]))
    }

    /// Sets what is known of the app; what isn't given stays.
    private func setApp(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(
            try await ControlMembers.body(of: request),
            known: [
                "push_url", "push_audience", "push_email", "subscription", "all_notifications", "is_permitted",
                "sees_finances", "acknowledge_within", "test_acknowledge_within", "minimum_backoff",
                "maximum_backoff",
            ])
        var new = play.settings.current
        if let url = try members.urls("push_url").first { new.pushURL = url }
        if let audience = try members.text("push_audience") { new.audience = audience }
        if let email = try members.text("push_email") { new.pushEmail = email }
        if let subscription = try members.text("subscription") { new.subscription = subscription }
        if let flag = try members.flag("all_notifications") { new.tellsOneTime = flag }
        if let flag = try members.flag("is_permitted") { new.isPermitted = flag }
        if let flag = try members.flag("sees_finances") { new.seesFinances = flag }
        let times = 0...400_000_000
        if let time = try members.integer("acknowledge_within", in: times) { new.acknowledgeWithin = Double(time) }
        if let time = try members.integer("test_acknowledge_within", in: times) {
            new.testAcknowledgeWithin = Double(time)
        }
        let least = try members.integer("minimum_backoff", in: 0...600).map(Double.init) ?? new.backoff.lowerBound
        let most = try members.integer("maximum_backoff", in: 0...600).map(Double.init) ?? new.backoff.upperBound
        guard least <= most else {
            throw ControlError(.badRequest, "minimum_backoff", "must be at most maximum_backoff")
        }
        new.backoff = least...most
        play.settings.set(new)
        play.clockTurned()
        return try await show(request, context)
    }

    private func setLimits(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(
            try await ControlMembers.body(of: request), known: ["per_day", "per_half_minute"])
        await quota.set(
            perDay: try members.integer("per_day", in: 0...1_000_000),
            perHalfMinute: try members.integer("per_half_minute", in: 0...1_000_000))
        return ControlAnswer.make(.ok, .object([:]))
    }

    /// Signs pushes with a new key.
    private func replaceKey(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        keys.replace()
        return ControlAnswer.make(.ok, .object(["kid": .string(try keys.current.id)]))
    }

    private func revokeTokens(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        await tokens.revokeAll()
        return ControlAnswer.make(.ok, .object([:]))
    }

    // MARK: Purchases

    /// Simulates the purchase on a device.
    private func buy(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let purchase = try await play.buy(try PlayPurchaseDraft(try await ControlMembers.body(of: request)))
        return ControlAnswer.make(.created, await summary(of: purchase))
    }

    /// The purchases; those of an account that aren't consumed are what a device still has.
    private func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let query = request.query
        await play.voidUnacknowledged()
        let found = await play.state.inOrder.filter {
            (query["account_id"] == nil || $0.accountID == query["account_id"])
                && (query["unconsumed"] != "true" || !$0.isConsumed && $0.state != .cancelled)
        }
        var shown: [JSONValue] = []
        for purchase in found { shown.append(await summary(of: purchase)) }
        return ControlAnswer.make(.ok, .object(["purchases": .array(shown)]))
    }

    private func showPurchase(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        await play.voidUnacknowledged()
        let token = try context.segment("token")
        guard let found = await play.state.inOrder.first(where: { $0.token == token }) else {
            throw ControlError(.notFound, "purchase_token", "isn't known")
        }
        return ControlAnswer.make(.ok, await summary(of: found))
    }

    private func change(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let change = try PlayChange(try await ControlMembers.body(of: request))
        return ControlAnswer.make(
            .ok, await summary(of: try await play.change(try context.segment("token"), change)))
    }

    /// A purchase in the control API, as the API shows it and the list of voided purchases has it.
    private func summary(of purchase: PlayPurchase) async -> JSONValue {
        let voids = await play.state.voids.filter { $0.purchase.token == purchase.token }
        return .object([
            "purchase_token": .string(purchase.token), "order_id": .text(purchase.orderID),
            "purchase": purchase.purchaseV2, "order": purchase.order(at: play.clock.now) ?? .null,
            "voided": .array(voids.map(\.wire)),
            "reviews": .array(
                purchase.reviews.map {
                    .object([
                        "pending_refund_token": .string($0.token), "asked_at": RFC3339Time.nanoseconds($0.askedAt),
                        "answers": .array($0.answers),
                    ])
                }),
        ])
    }
}
