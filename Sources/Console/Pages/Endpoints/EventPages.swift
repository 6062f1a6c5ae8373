import Foundation
import Hummingbird
import Ledger
import LedgerServer
import LedgerWire

/// What happened, as endpoints and readers are told it.
struct EventPages: Sendable {
    let events: Events

    private static let pageSize = 50

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("events", needs: .read, list)
        routes.page("events/{id}", needs: .read, page)
    }

    /// `GET /console/events`, newest first; `?type=&user=` filter.
    private func list(_ visit: Visit) async throws -> Response {
        let given = visit.given("type", "user")
        let name = "events " + ConsolePath.query(given)
        let type = visit.query("type").map(EventType.init(rawValue:))
        let user = try visit.user("user")
        let found = try await events.latest(
            before: try visit.cursor(of: name, as: EventCursor.self),
            EventFilter(types: type.map { [$0] } ?? [], user: user), limit: Self.pageSize)
        var values: [String: Any] = [
            "types": EventType.all.map { ["name": $0.rawValue, "isChosen": $0 == type] as [String: Any] },
            "user": visit.query("user") ?? "",
            "section": Layout.section(found.elements.map { Self.row($0, visit) }),
        ]
        values["next"] = try visit.next("/console/events", given, of: name, found.next)
        return await Layout.page(visit, title: visit.text("eventsTitle"), Self.listTemplate, values)
    }

    private static func row(_ event: Event, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = ["seq": String(event.seq), "type": event.type.rawValue]
        row["time"] = visit.time(event.recordedAt)
        if let user = event.user { row["customer"] = CustomerPath.link(to: user) }
        return row
    }

    /// `GET /console/events/{id}`: the body that receivers get.
    private func page(_ visit: Visit) async throws -> Response {
        guard let event = try await events.find(try visit.context.pathID()) else { throw Problem(.notFound) }
        let encoder = WireJSON.makeEncoder()
        encoder.outputFormatting.insert(.prettyPrinted)
        var values = Self.row(event, visit)
        values["body"] = String(decoding: try encoder.encode(EventBody(event)), as: UTF8.self)
        if event.seq > 1 { values["before"] = String(event.seq - 1) }
        if try await event.seq < events.last() { values["after"] = String(event.seq + 1) }
        return await Layout.page(visit, title: "\(visit.text("eventTitle")) \(event.seq)", Self.pageTemplate, values)
    }

    static let listTemplate = ConsoleTemplate(
        """
        <form class="line" method="get" action="/console/events">
        <div class="field"><label for="type">{{t.eventType}}</label><select id="type" name="type">
        <option value="">{{t.allActs}}</option>{{#types}}<option{{#isChosen}} selected{{/isChosen}}>{{name}}</option>
        {{/types}}</select></div>
        <div class="field"><label for="user">{{t.searchUser}}</label><input id="user" name="user" value="{{user}}"
        autocomplete="off"></div>
        <button>{{t.filter}}</button></form>
        {{^section}}\(FormPart.empty("eventsNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.eventTitle}}</th><th scope="col">{{t.eventType}}</th>
        <th scope="col">{{t.searchUser}}</th><th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a class="pick" href="/console/events/{{seq}}">{{seq}}</a></th><td>{{type}}</td>
        <td>{{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}</td>
        <td>{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.eventType}}</dt><dd>{{type}}</dd></div>
        {{#customer}}<div><dt>{{t.searchUser}}</dt><dd><a href="{{path}}">{{name}}</a></dd></div>{{/customer}}
        {{#time}}<div><dt>{{t.time}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/time}}</dl>
        <h2>{{t.eventBody}}</h2>
        <pre>{{body}}</pre>
        <p>{{#before}}<a class="button" href="/console/events/{{before}}">{{t.eventBefore}}</a>{{/before}}
        {{#after}}<a class="button" href="/console/events/{{after}}">{{t.eventAfter}}</a>{{/after}}</p>
        """)

    static let texts: [ConsoleText] = [
        .init("eventsTitle", "Events", "이벤트"), .init("eventTitle", "Event", "이벤트"),
        .init("eventType", "Type", "유형"),
        .init(
            "eventsNone", "No event matches. Choose another type, or leave the customer empty.",
            "조건에 맞는 이벤트가 없습니다. 다른 유형을 선택하거나 고객을 비우세요."), .init("eventBody", "What receivers get", "수신 서버가 받는 내용"),
        .init("eventBefore", "The event before", "이전 이벤트"), .init("eventAfter", "The event after", "다음 이벤트"),
    ]
}
