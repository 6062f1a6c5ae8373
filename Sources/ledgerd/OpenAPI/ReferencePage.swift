import Crypto
import Foundation
import Mustache

/// The API's reference page: one HTML page without scripts and external resources.
struct ReferencePage {
    private let document: APIDocument

    init(_ document: APIDocument) {
        self.document = document
    }

    /// The content security policy: only the page's own style.
    static let securityPolicy: String = {
        let hash = Data(SHA256.hash(data: Data(ReferencePage.style.utf8))).base64EncodedString()
        return
            "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }()

    var html: String {
        Self.template.render(
            [
                "title": document.info.title, "style": Self.style,
                "introduction": document.info.description.split(separator: "\n\n").map { markup(String($0)) },
                "groups": document.tags.map(group),
                "schemas": document.components.schemas.sorted { $0.key < $1.key }.map(schema),
            ] as [String: Any])
    }

    private func group(_ tag: APIDocument.Tag) -> [String: Any] {
        let methods = ["get", "post", "put", "patch", "delete"]
        let operations = document.paths.sorted { $0.key < $1.key }.flatMap { path, operations in
            operations.filter { $0.value.tags.contains(tag.name) }
                .sorted { methods.firstIndex(of: $0.key) ?? 0 < methods.firstIndex(of: $1.key) ?? 0 }
                .map { operation($0.value, method: $0.key, path: path) }
        }
        return [
            "name": tag.name, "anchor": tag.name.replacing(" ", with: "-"), "description": markup(tag.description),
            "operations": operations,
        ]
    }

    private func operation(_ operation: APIDocument.Operation, method: String, path: String) -> [String: Any] {
        let parameters = (operation.parameters ?? []).compactMap { $0.resolved(in: document.components.parameters) }
        return [
            "method": method.uppercased(), "path": path, "anchor": "\(method)-\(path)", "summary": operation.summary,
            "description": operation.description.map { [markup($0)] } ?? [],
            "scope": (operation.security?.first?.keys.sorted()).map { [$0.joined(separator: ", ")] } ?? [],
            "parameters": parameters.map { parameter in
                [
                    "name": parameter.name, "place": parameter.place, "type": type(parameter.schema),
                    "required": parameter.required == true, "description": markup(parameter.description),
                ] as [String: Any]
            },
            "hasParameters": !parameters.isEmpty,
            "bodies": content(operation.requestBody?.content),
            "answers": operation.responses.sorted { $0.key < $1.key }.compactMap(answer),
        ]
    }

    private func answer(_ status: String, _ shared: APIDocument.Shared<APIDocument.Answer>) -> [String: Any]? {
        guard let answer = shared.resolved(in: document.components.responses) else { return nil }
        return [
            "status": status, "description": markup(answer.description), "bodies": content(answer.content),
            "headers": (answer.headers ?? [:]).keys.sorted().joined(separator: ", "),
        ]
    }

    private func content(_ content: [String: APIDocument.Media]?) -> [[String: Any]] {
        (content ?? [:]).sorted { $0.key < $1.key }.map { ["media": $0.key, "type": type($0.value.schema)] }
    }

    private func schema(_ name: String, _ schema: APIDocument.Schema) -> [String: Any] {
        [
            "name": name, "description": markup(schema.description ?? ""),
            "alternatives": schema.alternatives.isEmpty ? [] : [type(schema)],
            "hasMembers": !schema.properties.isEmpty,
            "members": schema.properties.sorted { $0.key < $1.key }.map { member, value in
                [
                    "name": member, "type": type(value), "required": schema.required.contains(member),
                    "description": markup(value.description ?? ""),
                ] as [String: Any]
            },
        ]
    }
}

// MARK: - Pieces of HTML

extension ReferencePage {
    /// The type of a schema, as HTML.
    private func type(_ schema: APIDocument.Schema) -> String {
        if let name = schema.reference { return "<a href=\"#schema-\(name)\">\(name)</a>" }
        if let first = schema.parts.first { return type(first) }
        if !schema.alternatives.isEmpty { return schema.alternatives.map(type).joined(separator: " or ") }
        if let items = schema.items { return "array of " + type(items) }
        if !schema.choices.isEmpty {
            return schema.choices.map { "<code>\(escape($0))</code>" }.joined(separator: ", ")
        }
        var text = escape(schema.types.joined(separator: " or "))
        if let format = schema.format, format != "int64" { text += " (\(escape(format)))" }
        switch (schema.minimum, schema.maximum) {
        case (let low?, let high?): text += ", \(low) to \(high)"
        case (let low?, nil): text += ", \(low) or more"
        default: break
        }
        if let most = schema.maxLength { text += ", at most \(most) characters" }
        return text
    }

    /// A text as HTML; text between backquotes becomes code.
    private func markup(_ text: String) -> String {
        escape(text).replacing(/`([^`]*)`/) { "<code>\($0.1)</code>" }
    }

    private func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
