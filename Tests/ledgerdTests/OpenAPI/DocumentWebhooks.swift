import Foundation

@testable import ledgerd

/// Writes the webhooks of docs/openapi.json: what the service sends to endpoints, one for each type of event.
///
/// `Tests/OpenAPI/events.json` has the summary of each type, and user and data of an example. Events of the type always
/// have the members of this data, but `reason` and `reference`, which callers may leave out.
enum DocumentWebhooks {
    /// All webhooks, in the order of the events.
    static func json(_ events: OrderedJSON) -> OrderedJSON {
        .members(of: events.members) { ($0.name, webhook($0.name, $0.value)) }
    }

    private static func webhook(_ type: String, _ event: OrderedJSON) -> OrderedJSON {
        let example = OrderedJSON.present([
            "seq": 4711, "type": .string(type), "version": 1, "recorded_at": "2026-11-20T10:00:00.000Z",
            "user": event["user"], "data": event["data"],
        ])
        let always = (event["data"]?.members ?? []).map(\.name).filter { !["reason", "reference"].contains($0) }
        let data: OrderedJSON = ["required": .strings(always)]
        let ofType: OrderedJSON = ["type": "object", "properties": ["type": ["const": .string(type)], "data": data]]
        let body: OrderedJSON = [
            "schema": ["allOf": [DocumentPaths.reference("schemas", "Event"), ofType]],
            "examples": ["event": ["value": example]],
        ]
        return [
            "post": [
                "summary": event["summary"] ?? "",
                "operationId": .string("on" + type.split { "._".contains($0) }.map(\.capitalized).joined()),
                "requestBody": ["content": ["application/json": body]],
                "responses": ["2XX": ["description": "The receiver has the event."]],
            ]
        ]
    }
}
