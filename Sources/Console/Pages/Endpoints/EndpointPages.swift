import Hummingbird
import Ledger
import LedgerServer

/// The URLs that events are sent to, and what became of the events.
struct EndpointPages: Sendable {
    let endpoints: Endpoints
    /// nil: no webhooks are sent.
    let sender: EndpointSender?
    let acts: ApprovalDesk

    /// The acts of the feature.
    var doing: EndpointActs { EndpointActs(ledger: acts.desks.ledger, sender: sender) }

    private static let pageSize = 30

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("endpoints", needs: .read, list)
        routes.page("endpoints/{id}", needs: .read) { visit in try await page(visit, try await find(visit)) }
        addActs(to: &routes)
    }

    /// The endpoint in the path.
    func find(_ visit: Visit) async throws -> Endpoint {
        try await doing.find(try visit.context.pathID())
    }

    /// `GET /console/endpoints`.
    private func list(_ visit: Visit) async throws -> Response {
        let found = try await endpoints.list(
            after: try visit.cursor(of: "endpoints", as: After<Int64>.self), limit: Self.pageSize)
        var rows: [[String: Any]] = []
        for endpoint in found.elements {
            let backlog = try await endpoints.backlog(of: endpoint.id)
            rows.append(Self.row(endpoint, visit).merging(Self.backlog(backlog, visit)) { $1 })
        }
        var values: [String: Any] = [
            "section": Layout.section(rows), "isOff": sender == nil,
            "mayAdd": visit.may(.manageEndpoints) && sender != nil, "once": RandomToken.make(),
            "types": Self.types(chosen: []),
        ]
        values["next"] = try visit.next("/console/endpoints", of: "endpoints", found.next)
        return await Layout.page(visit, title: visit.text("endpointsTitle"), Self.listTemplate, values)
    }

    private static func row(_ endpoint: Endpoint, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(endpoint.id), "url": endpoint.url, "description": endpoint.description,
            "status": visit.text("endpoint_\(endpoint.status.rawValue)"),
            "why": endpoint.statusReason.map { visit.text("endpointWhy_\($0.rawValue)") } ?? "",
            "tone": endpoint.status != .enabled ? "bad" : endpoint.failures > 0 ? "wait" : "good",
            "failures": Show.number(endpoint.failures), "isEnabled": endpoint.status == .enabled,
            "isFailing": endpoint.failures > 0,
        ]
        row["failing"] = visit.time(endpoint.failingSince)
        return row
    }

    /// What the endpoint did not get.
    private static func backlog(_ backlog: EndpointBacklog?, _ visit: Visit) -> [String: Any] {
        guard let backlog else { return [:] }
        func count(_ number: Int64, isMore: Bool) -> String { (isMore ? "≥ " : "") + Show.number(number) }
        let most = EndpointBacklog.mostExamined
        var values: [String: Any] = [
            "behind": count(backlog.events, isMore: backlog.hasMore),
            "waitingUsers": count(backlog.waitingUsers, isMore: backlog.waitingUsers == most),
            "givenUp": count(backlog.givenUp, isMore: backlog.givenUp == most),
            "isGivenUp": backlog.givenUp > 0,
        ]
        values["oldest"] = visit.time([backlog.since, backlog.waitingSince].compactMap(\.self).min())
        return values
    }

    /// All types of events, to choose from.
    private static func types(chosen: [String]) -> [[String: Any]] {
        EventType.all.map { ["name": $0.rawValue, "isChosen": chosen.contains($0.rawValue)] }
    }

    // MARK: - One endpoint

    /// `GET /console/endpoints/{id}`; `?failed=yes` for failed attempts only, `?from=&until=` for the form to send again.
    ///
    /// - Parameter tested: the result of a test that was sent just now.
    func page(_ visit: Visit, _ endpoint: Endpoint, tested: WebhookSender.Attempt? = nil) async throws -> Response {
        let onlyFailed = visit.query("failed") == "yes"
        let name = "deliveries \(endpoint.id) \(onlyFailed)"
        let attempts = try await endpoints.attempts(
            at: endpoint.id, onlyFailed: onlyFailed, after: try visit.cursor(of: name, as: AttemptCursor.self),
            limit: Self.pageSize)
        let replays = try await endpoints.replays(of: endpoint.id, limit: 10)
        var values = Self.row(endpoint, visit).merging(Self.facts(endpoint, visit)) { $1 }
        values.merge(Self.backlog(try await endpoints.backlog(of: endpoint.id), visit)) { $1 }
        values["onlyFailed"] = onlyFailed
        values["attempts"] = Layout.section(attempts.elements.map { Self.row($0, endpoint, visit) })
        values["replays"] = Layout.section(replays.elements.map { Self.row($0, visit) })
        values["next"] = try visit.next(
            "/console/endpoints/\(endpoint.id)", visit.given("failed"), of: name, attempts.next)
        values["tested"] = tested.map { Self.result($0, visit) }
        if visit.may(.manageEndpoints) { values["forms"] = Self.forms(endpoint, visit, isOn: sender != nil) }
        return await Layout.page(
            visit, title: "\(visit.text("endpointTitle")) \(endpoint.id)", Self.pageTemplate, values)
    }

    private static func facts(_ endpoint: Endpoint, _ visit: Visit) -> [String: Any] {
        var values: [String: Any] = [
            "types": endpoint.filter.types.joined(separator: ", "),
            "users": endpoint.filter.users.joined(separator: ", "), "createdBy": endpoint.createdBy,
        ]
        values["created"] = visit.time(endpoint.createdAt)
        values["paused"] = visit.time(endpoint.pausedUntil)
        values["former"] = visit.time(endpoint.formerSecret?.until)
        return values
    }

    private static func row(_ attempt: DeliveryAttempt, _ endpoint: Endpoint, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "seq": String(attempt.seq), "outcome": visit.text("delivery_\(attempt.outcome)"),
            "tone": attempt.outcome == WebhookSender.Outcome.delivered.rawValue ? "good" : "bad",
            "http": attempt.status.map { String($0) } ?? "", "latency": Show.number(attempt.latency),
        ]
        row["time"] = visit.time(attempt.attemptedAt)
        row["answer"] = attempt.answer.flatMap { $0.isEmpty ? nil : $0 }
        if visit.may(.manageEndpoints) {
            row["again"] = "/console/endpoints/\(endpoint.id)?from=\(attempt.seq)&until=\(attempt.seq)#again"
        }
        return row
    }

    private static func row(_ replay: Replay, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(replay.id), "position": Show.number(replay.position), "until": Show.number(replay.until),
            "onlyFailed": replay.onlyFailed, "by": replay.requestedBy,
        ]
        row["requested"] = visit.time(replay.requestedAt)
        row["finished"] = visit.time(replay.finishedAt)
        return row
    }

    private static func result(_ attempt: WebhookSender.Attempt, _ visit: Visit) -> [String: Any] {
        var values: [String: Any] = [
            "outcome": visit.text("delivery_\(attempt.outcome.rawValue)"),
            "notice": attempt.outcome == .delivered ? "notice" : "problem",
            "http": attempt.status.map { "HTTP \($0), " } ?? "",
            "latency": Show.number(Int64(attempt.latency / .milliseconds(1))),
        ]
        values["answer"] = attempt.answer.flatMap { $0.isEmpty ? nil : $0 }
        return values
    }

    private static func forms(_ endpoint: Endpoint, _ visit: Visit, isOn: Bool) -> [String: Any] {
        [
            "isOn": isOn, "onceTest": RandomToken.make(), "onceSwitch": RandomToken.make(),
            "onceAgain": RandomToken.make(), "onceChange": RandomToken.make(), "onceSecret": RandomToken.make(),
            "onceDelete": RandomToken.make(), "allTypes": types(chosen: endpoint.filter.types),
            "from": visit.query("from") ?? "", "until": visit.query("until") ?? "",
            "isAsked": visit.query("from") != nil,
        ]
    }
}
