import FoundationEssentials
import Hummingbird
import SandboxSupport

/// V1's virtual accounts without a payment window, and sub-stores (PortOne V1 contract, virtual accounts).
struct V1Accounts: Sendable {
    let state: SandboxState
    let webhooks: WebhookOutbox

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.post("vbanks", use: issue)
        router.put("vbanks/{imp_uid}", use: change)
        router.delete("vbanks/{imp_uid}", use: close)
        router.get("tiers/{tier_code}", use: tier)
        router.get("payments/{imp_uid}/balance", use: balance)
    }

    private func issue(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let fields = try await request.fields()
        for name in ["channel_key", "vbank_code"] where fields.text(name) == nil { throw V1Refusal.badParameter(name) }
        let due = try Self.due(fields)
        guard let due, due > (await state.currentTime) else { throw V1Refusal.badParameter("vbank_due") }
        var members: [String: JSONValue] = ["pay_method": .string("vbank"), "status": .string("ready")]
        guard case .some(.some(let amount)) = fields.number("amount"), amount > 0 else {
            throw V1Refusal.badParameter("amount")
        }
        members["amount"] = .number(amount)
        members["version"] = .string("V1")
        for name in Self.copied { members[name] = fields.text(name).map(JSONValue.string) }
        let notices = fields.texts("notice_url")
        if !notices.isEmpty { members["notice_url"] = .array(notices.map(JSONValue.string)) }
        members["tier"] = try request.v1Scope().tier.map(JSONValue.string)
        do {
            var draft = try PaymentDraft(.object(members))
            draft.accountDue = due
            let change = try await state.pay(draft)
            await webhooks.announce(change)
            return V1Envelope.success(change.payment.v1Wire)
        } catch {
            guard error.status == .conflict else { throw V1Refusal.badParameter(error.field) }
            throw V1Refusal(200, 1, error.field + " " + error.rule)
        }
    }

    private static let copied = [
        "merchant_uid", "name", "buyer_name", "buyer_email", "buyer_tel", "buyer_addr", "buyer_postcode", "custom_data",
    ]

    private func change(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let fields = try await request.fields()
        let amount = fields.number("amount")
        if let amount, amount.map({ $0 <= 0 }) ?? true { throw V1Refusal.badParameter("amount") }
        let payment = try await state.changeAccount(
            try context.segment("imp_uid"), amount: amount.flatMap(\.self), due: try Self.due(fields),
            try request.v1Scope())
        return V1Envelope.success(payment.v1Wire)
    }

    private func close(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let change = try await state.closeAccount(try context.segment("imp_uid"), try request.v1Scope())
        await webhooks.announce(change, to: WebhookAudience(v1: false, v2: true))
        return V1Envelope.success(change.payment.v1Wire)
    }

    private static func due(_ fields: RequestFields) throws(V1Refusal) -> Date? {
        guard let given = fields.number("vbank_due") else { return nil }
        guard let seconds = given.flatMap({ Int($0.description) }), (1...4_000_000_000).contains(seconds) else {
            throw .badParameter("vbank_due")
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private func tier(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let code = try context.segment("tier_code")
        guard V1Scope.isTier(code) else { throw V1Refusal.badParameter("tier_code") }
        return V1Envelope.success(.object(["tier_code": .string(code), "tier_name": .string("sandbox " + code)]))
    }

    /// Only one payment company splits payments, which is not simulated.
    private func balance(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard await state.payment(try context.segment("imp_uid"), try request.v1Scope()) != nil else {
            throw V1Refusal.unknownPayment
        }
        throw V1Refusal(405, -1, "지원되지 않는 PG사의 결제건입니다.")
    }
}

extension SandboxState {
    fileprivate func changeAccount(
        _ impUID: String, amount: Decimal?, due: Date?, _ scope: V1Scope
    ) throws(V1Refusal) -> SandboxPayment {
        var payment = try waitingAccount(impUID, scope)
        if let amount, !amount.hasAtMost(CurrencyScale.places(of: payment.currency)) { throw .badParameter("amount") }
        payment.changeAccount(amount: amount, due: due, now: currentTime)
        return keep(payment).payment
    }

    /// An account that is closed without deposit is a failed payment (PortOne V1 contract, payment object).
    fileprivate func closeAccount(_ impUID: String, _ scope: V1Scope) throws(V1Refusal) -> PaymentChangeResult {
        var payment = try waitingAccount(impUID, scope)
        payment.fail("가상계좌 말소", now: currentTime)
        return keep(payment)
    }

    private func waitingAccount(_ impUID: String, _ scope: V1Scope) throws(V1Refusal) -> SandboxPayment {
        guard let payment = payment(impUID, scope) else { throw .unknownPayment }
        guard payment.status == .accountIssued else { throw .notWaiting }
        return payment
    }
}
