import FoundationEssentials
import Hummingbird
import SandboxSupport

/// The control API of the App Store: purchases and what becomes of them, certificates, limits.
///
/// The real App Store has no such API.
struct AppleControl: Sendable {
    let app: SandboxStoreConfiguration.Apple
    let state: AppleState
    let signer: AppleSigner
    let notifications: AppleNotifications
    let limits: AppleLimits
    let ocsp: OCSPResponder.ModeSwitch
    let clock: SandboxClock

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("sandbox/apple", use: show)
        router.put("sandbox/apple/app", use: setApp)
        router.put("sandbox/apple/ocsp", use: setOCSP)
        router.put("sandbox/apple/limits", use: setLimit)
        router.post("sandbox/apple/jws", use: sign)
        router.post("sandbox/apple/purchases", use: buy)
        router.get("sandbox/apple/purchases", use: list)
        router.get("sandbox/apple/purchases/{id}", use: showPurchase)
        router.patch("sandbox/apple/purchases/{id}", use: change)
    }

    /// What a shop sets up: the key of its clients, the root to trust, the URLs of the API.
    private func show(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let address = "http://\(request.head.authority ?? "127.0.0.1")/"
        return ControlAnswer.make(
            .ok,
            .object([
                "bundle_id": .string(app.bundleID), "app_apple_id": .int(app.appAppleID),
                "issuer_id": .string(app.issuerID), "key_id": .string(app.keyID),
                "private_key": .string(try SandboxStoreConfiguration.Apple.clientKey),
                "root_certificate": .string(Data(try signer.authority.root.der).base64EncodedString()),
                "notification_url": .text(notifications.urls[.production]),
                "sandbox_notification_url": .text(notifications.urls[.sandbox]),
                "is_released": .bool(await state.isReleased), "ocsp_mode": .string(ocsp.mode.rawValue),
                "urls": .object(
                    Dictionary(
                        uniqueKeysWithValues: AppleEnvironment.allCases.map {
                            ($0.rawValue, .string(address + $0.path))
                        })),
            ]))
    }

    /// Sets what is known of the app; what isn't given stays.
    private func setApp(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(
            try await ControlMembers.body(of: request),
            known: ["is_released", "notification_url", "sandbox_notification_url"])
        let urls = try members.urls("notification_url")
        let sandboxURLs = try members.urls("sandbox_notification_url")
        if let isReleased = try members.flag("is_released") { await state.setReleased(isReleased) }
        if let url = urls.first { notifications.urls.set(url, of: .production) }
        if let url = sandboxURLs.first { notifications.urls.set(url, of: .sandbox) }
        return try await show(request, context)
    }

    private func setOCSP(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(try await ControlMembers.body(of: request), known: ["mode"])
        guard let mode = try members.choice("mode", of: OCSPResponder.Mode.self) else {
            throw ControlError(.badRequest, "mode", "is missing")
        }
        ocsp.set(mode)
        return try await show(request, context)
    }

    private func setLimit(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(try await ControlMembers.body(of: request), known: ["call", "per_hour"])
        guard let call = try members.choice("call", of: AppleCall.self) else {
            throw ControlError(.badRequest, "call", "is missing")
        }
        await limits.set(call, perHour: try members.integer("per_hour", in: 0...1_000_000))
        return ControlAnswer.make(.ok, .object([:]))
    }

    /// Signs any payload.
    private func sign(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(try await ControlMembers.body(of: request), known: ["payload", "signing"])
        guard let payload = try members.object("payload") else {
            throw ControlError(.badRequest, "payload", "is missing")
        }
        let defect = try members.choice("signing", of: SigningDefect.self) ?? .none
        return ControlAnswer.make(.ok, .object(["jws": .string(try signer.sign(.object(payload), defect))]))
    }

    // MARK: Purchases

    /// Simulates the purchase on a device.
    private func buy(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let draft = try PurchaseDraft(try await ControlMembers.body(of: request))
        let transaction = try await state.buy(draft, bundleID: app.bundleID, now: clock.now)
        if draft.isAnnounced {
            try await notifications.announce(
                NotificationContent(
                    type: "ONE_TIME_CHARGE", environment: transaction.environment, transaction: transaction))
        }
        return ControlAnswer.make(.created, try summary(of: transaction))
    }

    /// The purchases; those of a customer that are unfinished are what a device still has.
    private func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let query = request.query
        let found = await state.inOrder.filter {
            (query["customer"] == nil || $0.customer == query["customer"])
                && (query["unfinished"] != "true" || $0.finishedAt == nil)
        }
        return ControlAnswer.make(.ok, .object(["purchases": .array(try found.map(summary))]))
    }

    private func showPurchase(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let id = try context.segment("id")
        guard let found = await state.inOrder.first(where: { $0.id == id }) else {
            throw ControlError(.notFound, "transaction_id", "isn't known")
        }
        return ControlAnswer.make(.ok, try summary(of: found))
    }

    private func change(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let change = try PurchaseChange(try await ControlMembers.body(of: request))
        let transaction = try await state.change(try context.segment("id")) {
            (transaction, sequence) throws(ControlError) in
            try change.apply(to: &transaction, sequence: sequence, now: clock.now)
        }
        if change.isAnnounced, let content = change.content(of: transaction) {
            try await notifications.announce(content)
        }
        return ControlAnswer.make(.ok, try summary(of: transaction))
    }

    /// A purchase in the control API, with what the device would present now.
    private func summary(of transaction: AppleTransaction) throws -> JSONValue {
        let payload = transaction.payload(signedAt: clock.now)
        return .object([
            "transaction_id": .string(transaction.id), "original_transaction_id": .string(transaction.originalID),
            "order_id": .string(transaction.orderID), "environment": .string(transaction.environment.rawValue),
            "app_transaction_id": .string(transaction.appTransactionID),
            "customer": .string(transaction.customer), "payload": payload,
            "finished_at": transaction.finishedAt.map(RFC3339Time.nanoseconds) ?? .null,
            "consumption": .array(transaction.consumption),
            "signed_transaction": .string(try signer.sign(payload, transaction.defect)),
        ])
    }
}
