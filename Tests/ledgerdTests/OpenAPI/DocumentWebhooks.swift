import Foundation

@testable import LedgerServer

/// Writes the webhooks of docs/openapi.json: what the service sends to endpoints, one for each type of event.
///
/// The summary of a type is the doc comment of its constant. `Tests/OpenAPI/events.json` has an example of each type, which has
/// what events of the type always have; only `reason` and `reference` may be absent, which callers give.
struct DocumentWebhooks {
    /// A type of event, as documents tell of it.
    struct Event {
        let type: String
        /// What happened: a phrase without a full stop.
        let summary: String
        let example: OrderedJSON

        /// The names of all that the example tells.
        var shown: [String] { example["data"]?.members.map(\.name) ?? [] }
        /// The members of `data` that events of this type always have.
        var always: [String] { shown.filter { !["reason", "reference"].contains($0) } }
    }

    /// The types in the order of their constants.
    let events: [Event]

    /// - Parameters:
    ///   - source: the text that declares the types.
    ///   - examples: `Tests/OpenAPI/events.json`.
    init(source: String, examples: OrderedJSON) {
        var comment: [String] = []
        var events: [Event] = []
        for line in source.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("///") {
                comment.append(String(line.dropFirst(3)))
            } else {
                if let type = line.firstMatch(of: /= EventType\(rawValue: "(.+)"\)/).map({ String($0.1) }) {
                    let example = Self.example(of: type, examples["events"]?[type] ?? [:], examples["shared"] ?? [:])
                    let text = DocComment(comment).text
                    events.append(Event(type: type, summary: String(text.dropLast()), example: example))
                }
                comment = []
            }
        }
        self.events = events
    }

    /// The example with what all have: number, type, version and times, and parts that examples share.
    private static func example(of type: String, _ own: OrderedJSON, _ shared: OrderedJSON) -> OrderedJSON {
        let at: OrderedJSON = "2026-11-20T10:00:00.000Z"
        var data: [OrderedJSON.Member] = []
        for member in own["data"]?.members ?? [] {
            let value = member.value == "shared" ? shared[member.name] : member.value
            data.append(.init(name: member.name, value: value ?? "missing"))
            guard member.name == "journal_entry_id", own["data"]?["effective_at"] == nil else { continue }
            data.append(.init(name: "effective_at", value: at))
        }
        return .present([
            "seq": 4711, "type": .string(type), "version": 1, "recorded_at": at, "user": own["user"],
            "data": .object(data),
        ])
    }

    /// All webhooks.
    var json: OrderedJSON { .members(of: events) { ($0.type, Self.webhook($0)) } }

    private static func webhook(_ event: Event) -> OrderedJSON {
        let data: OrderedJSON = ["required": .strings(event.always)]
        let ofType: OrderedJSON = [
            "type": "object", "properties": ["type": ["const": .string(event.type)], "data": data],
        ]
        let body: OrderedJSON = [
            "schema": ["allOf": [DocumentPaths.reference("schemas", "Event"), ofType]],
            "examples": ["event": ["value": event.example]],
        ]
        return [
            "post": [
                "summary": .string(event.summary),
                "operationId": .string("on" + event.type.split { "._".contains($0) }.map(\.capitalized).joined()),
                "requestBody": ["content": ["application/json": body]],
                "responses": ["2XX": ["description": "The receiver has the event."]],
            ]
        ]
    }

    // MARK: docs/events.md

    /// The rows of the page's table.
    var table: String {
        events.map { event in
            let shown = event.shown.filter { !Self.usual.contains($0) }.map { "`\($0)`" }.joined(separator: ", ")
            let summary = event.summary.prefix(1).lowercased() + event.summary.dropFirst()
            return "| `\(event.type)` | \(summary) | \(shown) |\n"
        }.joined()
    }

    /// What the page tells of all entries.
    private static let usual = ["journal_entry_id", "effective_at", "change", "balance"]
}
