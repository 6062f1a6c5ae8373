import Foundation

@testable import ledgerd

/// Writes the webhooks of docs/openapi.json: what the service sends to endpoints, one for each type of event.
///
/// `Tests/OpenAPI/events.json` has the summary of each type, the members of `data` that its events always have, and an
/// example.
enum DocumentWebhooks {
    /// All webhooks, in the order of the events.
    static func json(_ events: OrderedJSON) -> OrderedJSON {
        .object(events.members.map { .init(name: $0.name, value: webhook($0.name, $0.value)) })
    }

    private static func webhook(_ type: String, _ event: OrderedJSON) -> OrderedJSON {
        let data: OrderedJSON = ["required": event["data"] ?? []]
        let ofType: OrderedJSON = ["type": "object", "properties": ["type": ["const": .string(type)], "data": data]]
        let body: OrderedJSON = [
            "schema": ["allOf": [["$ref": "#/components/schemas/Event"], ofType]],
            "examples": ["event": ["value": event["example"] ?? [:]]],
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
