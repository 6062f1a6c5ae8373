import Hummingbird
import Ledger
import LedgerServer
import WireFormats

extension EndpointPages {
    func addActs(to routes: inout ConsoleRoutes) {
        routes.act(.addEndpoint, add)
        routes.act(.testEndpoint, test)
        routes.act(.changeEndpoint, change)
        routes.act(.enableEndpoint) { try await set($0, isEnabled: true) }
        routes.act(.disableEndpoint) { try await set($0, isEnabled: false) }
        routes.act(.replayEvents, replay)
        routes.act(.rotateEndpointSecret, rotateSecret)
        routes.act(.deleteEndpoint, delete)
    }

    /// Records an act with what it asks for and what the endpoint was before, and does it.
    ///
    /// A secret is no part of an endpoint's members, so none is recorded.
    private func perform<Value>(
        _ act: ConsoleAct, on endpoint: Endpoint?, _ visit: Visit, reason: String = "", _ asked: [String: JSON] = [:],
        made: (Value) -> [String: JSON] = { _ in [:] }, _ work: (CallerKey) async throws -> Value
    ) async throws -> Value {
        try await acts.perform(
            act, on: "endpoint:\(endpoint.map { String($0.id) } ?? "new")", visit, reason: reason,
            seen: (endpoint?.members ?? [:]).merging(asked) { $1 }, made: made, work)
    }

    /// `POST /console/endpoints`: shows the secret, once.
    private func add(_ visit: Visit) async throws -> Response {
        let sender = try doing.requireSender()
        let (form, reason) = (visit.form, try visit.form.text("reason"))
        let url = try form.text("url", most: 2000)
        let (filter, description) = (try form.endpointFilter(), try form.endpointDescription())
        let after = try form.eventNumber("from").map { $0 - 1 }
        let asked = filter.members.merging(["url": .string(url), "description": .string(description)]) { $1 }
        let added = try await perform(
            .addEndpoint, on: nil, visit, reason: reason, asked, made: \.made
        ) { key in
            try await doing.create(
                url: url, description: description, filter: filter, after: after, under: key
            ).success
        }
        return try await secret(of: added, sender, visit)
    }

    /// `POST …/rotate-secret`: shows the new secret, once.
    private func rotateSecret(_ visit: Visit) async throws -> Response {
        let sender = try doing.requireSender()
        let (endpoint, reason) = (try await find(visit), try visit.form.text("reason"))
        let rotated = try await perform(.rotateEndpointSecret, on: endpoint, visit, reason: reason) { key in
            try await doing.rotateSecret(of: endpoint.id, under: key).success
        }
        return try await secret(of: rotated, sender, visit)
    }

    private func secret(of endpoint: Endpoint, _ sender: EndpointSender, _ visit: Visit) async throws -> Response {
        guard let secret = sender.secret(of: endpoint) else {
            throw LedgerError.unexpected("the new secret has no key")
        }
        var values: [String: Any] = ["id": String(endpoint.id), "url": endpoint.url, "secret": secret]
        values["former"] = visit.time(endpoint.formerSecret?.until)
        return await Layout.page(
            visit, title: "\(visit.text("endpointSecretTitle")) \(endpoint.id)", Self.secretTemplate, values)
    }

    /// `POST …/test`: sends a test event now, and shows what became of it.
    private func test(_ visit: Visit) async throws -> Response {
        let sender = try doing.requireSender()
        let endpoint = try await find(visit)
        let attempt = try await perform(
            .testEndpoint, on: endpoint, visit, made: \.made
        ) { _ in try await sender.test(endpoint) }
        return try await page(visit, endpoint, tested: attempt)
    }

    /// `POST …/change`.
    private func change(_ visit: Visit) async throws -> Response {
        let (endpoint, reason) = (try await find(visit), try visit.form.text("reason"))
        let url = try visit.form.text("url", most: 2000)
        let (filter, description) = (try visit.form.endpointFilter(), try visit.form.endpointDescription())
        // Without the settings of webhooks, there are no rules to check a new URL by.
        let change = EndpointChange(
            url: url == endpoint.url ? nil : url, description: description, types: filter.types, users: filter.users)
        if change.url != nil { _ = try doing.requireSender() }
        _ = try await perform(.changeEndpoint, on: endpoint, visit, reason: reason, made: \.members) { _ in
            try await doing.change(endpoint.id, change)
        }
        return visit.redirect(to: "/console/endpoints/\(endpoint.id)", notice: ConsoleAct.changeEndpoint.notice())
    }

    /// `POST …/enable` and `…/disable`.
    private func set(_ visit: Visit, isEnabled: Bool) async throws -> Response {
        let (endpoint, reason) = (try await find(visit), try visit.form.text("reason"))
        let act = isEnabled ? ConsoleAct.enableEndpoint : .disableEndpoint
        _ = try await perform(act, on: endpoint, visit, reason: reason) { _ in
            try await doing.change(endpoint.id, EndpointChange(isEnabled: isEnabled))
        }
        return visit.redirect(to: "/console/endpoints/\(endpoint.id)", notice: act.notice())
    }

    /// `POST …/replay`: sends the events from one to another again; without the other, up to the latest.
    private func replay(_ visit: Visit) async throws -> Response {
        let (endpoint, reason) = (try await find(visit), try visit.form.text("reason"))
        guard let from = try visit.form.eventNumber("from") else {
            throw Problem.missingMember("/from", "from is required")
        }
        let until = try visit.form.eventNumber("until")
        // A slip is not worth a record.
        try EndpointActs.check(after: from - 1, until: until)
        let onlyFailed = visit.form["failed"] == "yes"
        let asked: [String: JSON] = [
            "from": .integer(from), "until": until.map { .integer($0) } ?? .null, "only_failed": .bool(onlyFailed),
        ]
        _ = try await perform(
            .replayEvents, on: endpoint, visit, reason: reason, asked, made: \.made
        ) { key in
            try await doing.replay(
                to: endpoint, after: from - 1, until: until, onlyFailed: onlyFailed, under: key
            ).success
        }
        return visit.redirect(
            to: "/console/endpoints/\(endpoint.id)", notice: ConsoleAct.replayEvents.notice())
    }

    /// `POST …/delete`.
    private func delete(_ visit: Visit) async throws -> Response {
        let (endpoint, reason) = (try await find(visit), try visit.form.text("reason"))
        try await perform(.deleteEndpoint, on: endpoint, visit, reason: reason) { _ in
            try await doing.delete(endpoint.id)
        }
        return visit.redirect(to: "/console/endpoints", notice: ConsoleAct.deleteEndpoint.notice())
    }
}

extension ConsoleForm {
    /// The events that were chosen: `type:…` for each type; none: all.
    fileprivate func endpointFilter() throws -> EndpointFilter {
        let users: [String]? = (self["users"] ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        // An empty field means all; one with nothing but commas is a mistake.
        guard self["users"] == nil || users?.isEmpty == false else {
            throw InputFault("users", "must be ids, or empty for all")
        }
        return EndpointFilter(
            types: EventType.all.map(\.rawValue).filter { self["type:\($0)"] != nil }, users: try users.checkedUsers())
    }

    fileprivate func endpointDescription() throws(InputFault) -> String {
        try self["description"].checkedDescription() ?? ""
    }

    /// The number of an event, if given.
    fileprivate func eventNumber(_ name: String) throws(Problem) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(digits: text.replacing(",", with: "")), number > 0 else {
            throw .invalid(member: name, "\(name) must be the number of an event")
        }
        return number
    }
}

extension Endpoint {
    fileprivate var made: [String: JSON] { ["endpoint": .integer(id)] }

    /// What an act on it changes, for the audit.
    fileprivate var members: [String: JSON] {
        filter.members.merging([
            "url": .string(url), "description": .string(description), "status": .string(status.rawValue),
        ]) { $1 }
    }
}

extension Replay {
    fileprivate var made: [String: JSON] { ["replay": .integer(id)] }
}

extension WebhookSender.Attempt {
    fileprivate var made: [String: JSON] { ["outcome": .string(outcome.rawValue)] }
}

extension EndpointFilter {
    fileprivate var members: [String: JSON] {
        ["types": .string(types.joined(separator: ", ")), "users": .string(users.joined(separator: ", "))]
    }
}
