import FoundationEssentials
import Hummingbird
import SandboxSupport

/// Lists notifications, sends them again or late, and sets the plan for the next ones.
struct NotificationControl: Sendable {
    let notifications: AppleNotifications

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("sandbox/apple/notifications", use: list)
        router.post("sandbox/apple/notifications", use: send)
        router.post("sandbox/apple/notifications/{number}/send", use: resend)
        router.put("sandbox/apple/notifications/plan", use: setPlan)
        router.post("sandbox/apple/notifications/release", use: release)
    }

    private func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let after = Int(request.query["after"] ?? "0") else {
            throw ControlError(.badRequest, "after", "must be an integer")
        }
        let found = await notifications.book.list(after: after)
        return ControlAnswer.make(.ok, .object(["notifications": .array(found.map(\.wire))]))
    }

    /// Sends any payload.
    private func send(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(
            try await ControlMembers.body(of: request), known: ["payload", "signing", "environment"])
        guard let payload = try members.object("payload") else {
            throw ControlError(.badRequest, "payload", "is missing")
        }
        let sent = try await notifications.announce(
            payload, try members.choice("signing", of: SigningDefect.self) ?? .none,
            in: try members.choice("environment", of: AppleEnvironment.self) ?? .production)
        guard let sent else { throw ControlError(.conflict, "environment", "has no notification URL") }
        return ControlAnswer.make(.accepted, sent.wire)
    }

    private func resend(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let number = Int(try context.segment("number")), let sent = await notifications.resend(number) else {
            throw ControlError(.notFound, "number", "isn't known")
        }
        return ControlAnswer.make(.accepted, sent.wire)
    }

    private func setPlan(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await ControlMembers.body(of: request)
        let rules = try body.oneOrMore.map { rule in try NotificationRule(rule) }
        await notifications.book.setRules(rules)
        return ControlAnswer.make(.ok, .object(["rules": .int(rules.count)]))
    }

    private func release(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(try await ControlMembers.body(of: request), known: ["order"])
        let order = try members.choice("order", of: Arrangement.self) ?? .sent
        return ControlAnswer.make(.ok, .object(["released": .int(await notifications.release(order))]))
    }
}

extension NotificationRule {
    fileprivate init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(body, known: ["act", "type", "environment", "signing", "times"])
        guard let act = try members.choice("act", of: Act.self) else {
            throw ControlError(.badRequest, "act", "is missing")
        }
        self.act = act
        type = try members.text("type")
        environment = try members.choice("environment", of: AppleEnvironment.self)
        defect = try members.choice("signing", of: SigningDefect.self) ?? .none
        guard (act == .sign) == (defect != .none) else {
            throw ControlError(.badRequest, "signing", "is for the act sign, which requires it")
        }
        times = try members.integer("times", in: 0...1_000_000) ?? 1
    }
}
