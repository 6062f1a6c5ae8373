import FoundationEssentials
import Hummingbird
import SandboxSupport

/// Lists webhooks, sends them again, and sets the plan for the next ones.
struct WebhookControl: Sendable {
    let state: SandboxState
    let webhooks: WebhookOutbox

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("sandbox/webhooks", use: list)
        router.post("sandbox/webhooks", use: send)
        router.post("sandbox/webhooks/{number}/send", use: resend)
        router.put("sandbox/webhooks/plan", use: setPlan)
        router.post("sandbox/webhooks/release", use: release)
    }

    private func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let after = Int(request.query["after"] ?? "0") else {
            throw ControlError(.badRequest, "after", "must be an integer")
        }
        var deliveries = await webhooks.book.list(after: after)
        if let name = request.query["payment"] {
            let payment = try await state.payment(named: name)
            deliveries = deliveries.filter { $0.message.impUID == payment.impUID }
        }
        return ControlAnswer.make(.ok, .object(["deliveries": .array(deliveries.map(\.wire))]))
    }

    /// Sends any body, such as an unknown type or a false event.
    private func send(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(
            try await ControlMembers.body(of: request), known: ["api", "body", "type", "url", "content_type"])
        let api = try members.choice("api", of: SandboxPayment.Version.self) ?? .v2
        let body =
            switch members.value("body") {
            case nil: throw ControlError(.badRequest, "body", "is missing")
            case .string(let text): text
            case .some(let value): value.jsonText
            }
        let message = WebhookMessage(
            api: api, type: try members.text("type") ?? "custom", impUID: nil, body: body,
            contentType: try members.text("content_type") ?? "application/json")
        let urls = try members.urls("url")
        guard let url = urls.first ?? webhooks.url(of: api) else {
            throw ControlError(.badRequest, "url", "is missing, and none is configured")
        }
        await webhooks.send(message, to: [url])
        return ControlAnswer.make(.accepted, .object([:]))
    }

    private func resend(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let number = Int(try context.segment("number")), let sent = await webhooks.resend(number) else {
            throw ControlError(.notFound, "number", "isn't known")
        }
        return ControlAnswer.make(.accepted, sent.wire)
    }

    private func setPlan(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await ControlMembers.body(of: request)
        let rules: [WebhookBook.Rule] =
            if case .array(let elements) = body {
                try elements.map { element in try WebhookBook.Rule(element) }
            } else {
                [try WebhookBook.Rule(body)]
            }
        await webhooks.book.setRules(rules)
        return ControlAnswer.make(.ok, .object(["rules": .array(await webhooks.book.rules.map(\.wire))]))
    }

    private func release(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(try await ControlMembers.body(of: request), known: ["order"])
        let arrangement = try members.choice("order", of: WebhookBook.Arrangement.self) ?? .sent
        let released = await webhooks.release(arrangement)
        return ControlAnswer.make(.ok, .object(["released": .int(released.count)]))
    }
}

extension WebhookBook.Rule {
    fileprivate init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(body, known: ["act", "api", "type", "times"])
        guard let act = try members.choice("act", of: Act.self) else {
            throw ControlError(.badRequest, "act", "is missing")
        }
        self.act = act
        api = try members.choice("api", of: SandboxPayment.Version.self)
        type = try members.text("type")
        times = try members.integer("times", in: 0...1_000_000) ?? 1
    }

    fileprivate var wire: JSONValue {
        .object([
            "act": .string(act.rawValue), "api": .text(api?.rawValue), "type": .text(type), "times": .int(times),
        ])
    }
}
