import FoundationEssentials
import Hummingbird
import SandboxSupport

/// Lists messages, sends them again or late, and sets the plan for the next ones.
struct MessageControl: Sendable {
    let play: GooglePlay

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("sandbox/google/messages", use: list)
        router.post("sandbox/google/messages", use: send)
        router.post("sandbox/google/messages/{number}/send", use: resend)
        router.put("sandbox/google/messages/plan", use: setPlan)
        router.post("sandbox/google/messages/release", use: release)
    }

    private func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let after = Int(request.query["after"] ?? "0") else {
            throw ControlError(.badRequest, "after", "must be an integer")
        }
        let found = await play.outbox.list(after: after)
        return ControlAnswer.make(.ok, .object(["messages": .array(found.map(\.wire))]))
    }

    /// Sends the Play Console's test, or any data.
    private func send(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(try await ControlMembers.body(of: request), known: ["data", "token"])
        let defect = try members.choice("token", of: TokenDefect.self) ?? .none
        let data =
            try members.text("data", atMost: 16_384)
            ?? DeveloperNotification.test.data(about: nil, of: play.app.packageName, now: play.clock.now).jsonText
        let sent = await play.publish(
            data, type: DeveloperNotification.test.type, purchaseToken: nil, nil, defect)
        guard let sent else { throw ControlError(.conflict, "push_url", "isn't set") }
        return ControlAnswer.make(.accepted, sent.wire)
    }

    private func resend(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let number = Int(try context.segment("number")), let sent = await play.resend(number) else {
            throw ControlError(.notFound, "number", "isn't known")
        }
        return ControlAnswer.make(.accepted, sent.wire)
    }

    private func setPlan(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await ControlMembers.body(of: request)
        let rules = try body.oneOrMore.map { rule in try PlayMessageRule(rule) }
        await play.outbox.setRules(rules)
        return ControlAnswer.make(.ok, .object(["rules": .int(rules.count)]))
    }

    private func release(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(try await ControlMembers.body(of: request), known: ["order"])
        let order = try members.choice("order", of: Arrangement.self) ?? .sent
        return ControlAnswer.make(.ok, .object(["released": .int(await play.release(order))]))
    }
}

extension PlayMessageRule {
    fileprivate init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(body, known: ["act", "type", "token", "times"])
        guard let act = try members.choice("act", of: Act.self) else {
            throw ControlError(.badRequest, "act", "is missing")
        }
        self.act = act
        type = try members.text("type")
        defect = try members.choice("token", of: TokenDefect.self) ?? .none
        guard (act == .sign) == (defect != .none) else {
            throw ControlError(.badRequest, "token", "is for the act sign, which requires it")
        }
        times = try members.integer("times", in: 0...1_000_000) ?? 1
    }
}
