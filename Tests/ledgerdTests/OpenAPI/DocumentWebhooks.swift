import Foundation

@testable import ledgerd

/// Writes the webhooks of docs/openapi.json: what the service sends to endpoints, one for each type of event.
///
/// `Tests/OpenAPI/events.json` has the summary of each type, the members of `data` that its events always have, and an
/// example.
struct DocumentWebhooks {
    /// The events by their type.
    let events: OrderedJSON

    /// All webhooks, in the order of the events.
    func json() -> OrderedJSON { .object(events.members.map { .init($0.name, webhook($0.name, $0.value)) }) }

    private func webhook(_ type: String, _ event: OrderedJSON) -> OrderedJSON {
        let body = OrderedJSON.object([
            .init("schema", schema(of: type, data: event["data"] ?? .array([]))),
            .init("examples", .object([.init("event", .object([.init("value", event["example"] ?? .object([]))]))])),
        ])
        let received = OrderedJSON.object([.init("description", .string("The receiver has the event."))])
        let post = OrderedJSON.object([
            .init("summary", event["summary"] ?? .string("")),
            .init("operationId", .string("on" + type.split { "._".contains($0) }.map(\.capitalized).joined())),
            .init("requestBody", .object([.init("content", .object([.init("application/json", body)]))])),
            .init("responses", .object([.init("2XX", received)])),
        ])
        return .object([.init("post", post)])
    }

    /// An event of this type.
    private func schema(of type: String, data: OrderedJSON) -> OrderedJSON {
        let event = OrderedJSON.object([.init("$ref", .string("#/components/schemas/Event"))])
        let properties = OrderedJSON.object([
            .init("type", .object([.init("const", .string(type))])), .init("data", .object([.init("required", data)])),
        ])
        let narrowed = OrderedJSON.object([.init("type", .string("object")), .init("properties", properties)])
        return .object([.init("allOf", .array([event, narrowed]))])
    }
}
