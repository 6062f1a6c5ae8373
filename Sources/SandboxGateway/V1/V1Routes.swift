import FoundationEssentials
import HTTPTypes
import Hummingbird
import SandboxSupport

/// PortOne V1's REST surface (PortOne V1 contract).
struct V1Routes: Sendable {
    let configuration: SandboxGatewayConfiguration
    let state: SandboxState
    let webhooks: WebhookOutbox

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.post("users/getToken", use: getToken)
        let authorized = router.group().add(middleware: V1Authenticator(state: state))
        authorized.get("payments", use: multiGet)
        authorized.get("payments/find/{merchant_uid}", use: find)
        authorized.get("payments/find/{merchant_uid}/{payment_status}", use: find)
        authorized.get("payments/findAll/{merchant_uid}", use: findAll)
        authorized.get("payments/findAll/{merchant_uid}/{payment_status}", use: findAll)
        authorized.get("payments/status/{payment_status}", use: list)
        authorized.post("payments/prepare", use: prepare)
        authorized.put("payments/prepare", use: replacePrepared)
        authorized.get("payments/prepare/{merchant_uid}", use: getPrepared)
        authorized.post("payments/cancel", use: cancel)
        authorized.post("subscribe/payments/again", use: chargeAgain)
        authorized.get("payments/{imp_uid}", use: payment)
        V1Accounts(state: state, webhooks: webhooks).add(to: authorized)
    }

    private func getToken(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let fields = try await request.fields()
        guard let key = fields.text("imp_key"), let secret = fields.text("imp_secret") else {
            throw V1Refusal.missingCredentials
        }
        guard key == configuration.v1Key, secret == configuration.v1Secret else { throw V1Refusal.wrongCredentials }
        let issued = await state.issueToken()
        return V1Envelope.success(
            .object([
                "access_token": .string(issued.token), "now": .int(issued.now), "expired_at": .int(issued.expiresAt),
            ]))
    }

    // MARK: Look-ups

    /// The only look-up that hides test payments by default.
    private func payment(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let showsTests = ["true", "1"].contains(request.query["include_sandbox"] ?? "")
        guard let payment = await state.payment(try context.segment("imp_uid"), try request.v1Scope()),
            showsTests || !payment.isTest
        else {
            throw V1Refusal.unknownPayment
        }
        return V1Envelope.success(payment.v1Wire)
    }

    private func find(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let sorting = try PaymentListing.sorting(request.query)
        let payments = try await attempts(request, context)
        guard let first = PaymentListing.sorted(payments, by: sorting).first else { throw V1Refusal.unknownPayment }
        return V1Envelope.success(first.v1Wire)
    }

    private func findAll(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let listing = try PaymentListing(request.query)
        let payments = try await attempts(request, context)
        guard !payments.isEmpty else { throw V1Refusal.unknownPayment }
        return V1Envelope.success(
            try listing.page(of: PaymentListing.sorted(payments, by: listing.sorting)))
    }

    private func attempts(_ request: Request, _ context: SandboxRequestContext) async throws -> [SandboxPayment] {
        let status = try context.parameters.get("payment_status").map(status)
        let payments = await state.payments(
            merchantUID: try context.segment("merchant_uid"), try request.v1Scope())
        return payments.filter { status == nil || $0.v1Status == status }
    }

    private func status(_ name: String) throws(V1Refusal) -> V1Status {
        guard let status = PaymentListing.statuses[name] else { throw .unknownStatus }
        return status
    }

    private func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let name = try context.segment("payment_status")
        let status = name == "all" ? nil : try status(name)
        let listing = try PaymentListing(request.query)
        let window = try PaymentListing.window(request.query, now: await state.currentTime)
        let payments = await state.payments(
            listedIn: window, status: status, try request.v1Scope(), sorting: listing.sorting)
        return V1Envelope.success(try listing.page(of: payments))
    }

    /// 207 if some were not found; the order is undefined.
    private func multiGet(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let impUIDs = request.query.all("imp_uid")
        let merchantUIDs = request.query.all("merchant_uid")
        guard (1...100).contains(impUIDs.count + merchantUIDs.count) else { throw V1Refusal.badParameter("imp_uid") }
        let scope = try request.v1Scope()
        var found: [String: SandboxPayment] = [:]
        var isMissing = false
        for impUID in impUIDs {
            if let payment = await state.payment(impUID, scope) { found[impUID] = payment } else { isMissing = true }
        }
        for merchantUID in merchantUIDs {
            let payments = await state.payments(merchantUID: merchantUID, scope)
            if payments.isEmpty { isMissing = true }
            for payment in payments { found[payment.impUID] = payment }
        }
        guard !found.isEmpty else { throw V1Refusal.unknownPayment }
        return V1Envelope.success(
            .array(found.values.map(\.v1Wire).shuffled()),
            status: isMissing ? HTTPResponse.Status(code: 207, reasonPhrase: "Multi-Status") : .ok)
    }

    // MARK: Registered amounts

    private func prepare(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let amount = try await preparedAmount(request)
        try await state.prepare(amount)
        return V1Envelope.success(amount.wire)
    }

    private func replacePrepared(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let amount = try await preparedAmount(request)
        guard await state.replacePrepared(amount) else { throw V1Refusal.unknownPrepared }
        return V1Envelope.success(amount.wire)
    }

    private func getPrepared(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let amount = await state.prepared(try context.segment("merchant_uid")), amount.amount != nil else {
            throw V1Refusal.unknownPrepared
        }
        return V1Envelope.success(amount.wire)
    }

    private func preparedAmount(_ request: Request) async throws -> PreparedAmount {
        let fields = try await request.fields()
        guard let merchantUID = fields.text("merchant_uid"), merchantUID.unicodeScalars.count <= 40 else {
            throw V1Refusal.badParameter("merchant_uid")
        }
        guard case .some(.some(let amount)) = fields.number("amount"), amount >= 0 else {
            throw V1Refusal.badParameter("amount")
        }
        let currency = fields.text("currency")
        guard (currency ?? "KRW").utf8.allSatisfy({ (0x41...0x5a).contains($0) }), (currency ?? "KRW").utf8.count == 3
        else { throw V1Refusal.badParameter("currency") }
        return PreparedAmount(api: .v1, merchantUID: merchantUID, amount: amount, currency: currency)
    }

    // MARK: Cancellation

    private func cancel(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let cancel = try V1Cancel(try await request.fields())
        let change = try await state.cancel(cancel, try request.v1Scope())
        await webhooks.announce(change, to: WebhookAudience(v1: cancel.sendsWebhook, v2: true))
        return V1Envelope.success(change.payment.v1Wire)
    }

    // MARK: Registered cards

    /// A declined card is a payment with the status `failed`, in a response with code 0.
    private func chargeAgain(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let fields = try await request.fields()
        guard let card = fields.text("customer_uid") else { throw V1Refusal.badParameter("customer_uid") }
        guard let merchantUID = fields.text("merchant_uid"), merchantUID.unicodeScalars.count <= 40 else {
            throw V1Refusal.badParameter("merchant_uid")
        }
        guard case .some(.some(let amount)) = fields.number("amount"), amount > 0 else {
            throw V1Refusal.badParameter("amount")
        }
        guard let name = fields.text("name") else { throw V1Refusal.badParameter("name") }
        guard let taxFree = fields.number("tax_free") ?? 0, (0...amount).contains(taxFree) else {
            throw V1Refusal.badParameter("tax_free")
        }
        let charge = CardCharge(
            card: card, order: ["merchant_uid": .string(merchantUID)], amount: amount,
            currency: fields.text("currency") ?? "KRW", name: name, taxFree: taxFree)
        if charge.isOfDeletedCard { throw V1Refusal.unknownCard }
        let change: PaymentChangeResult
        do throws(ControlError) {
            change = try await state.pay(try charge.draft())
        } catch {
            throw V1Refusal.refusedCharge
        }
        await webhooks.announce(change)
        return V1Envelope.success(change.payment.v1Wire)
    }
}

/// Refuses calls without the current token; the prefix `Bearer` is optional.
struct V1Authenticator: RouterMiddleware {
    let state: SandboxState

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        let header = request.headers[.authorization] ?? ""
        let token = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : header
        guard await state.isValid(token: token) else { throw V1Refusal.unauthorized }
        try await context.stallAsTold()
        return try await next(request, context)
    }
}

extension Request {
    /// The tier that the call acts for: three of `A` to `Z` and `0` to `9` (PortOne V1 contract, authentication).
    func v1Scope() throws(V1Refusal) -> V1Scope {
        guard let tier = headers[.tier] else { return V1Scope() }
        guard V1Scope.isTier(tier) else { throw .badParameter("Tier") }
        return V1Scope(tier: tier)
    }
}

extension HTTPField.Name {
    static var tier: Self {
        guard let name = Self("Tier") else { preconditionFailure("a valid field name") }
        return name
    }
}
