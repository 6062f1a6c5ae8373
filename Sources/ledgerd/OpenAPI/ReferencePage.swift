import Crypto
import Foundation
import Mustache

/// The API's reference page: one HTML page without scripts and external resources.
struct ReferencePage {
    let document: APIDocument
    /// The codes of problems, each of which has a place on the page.
    let codes: Set<String>
    /// The headers of every response, which are named once.
    private let commonHeaders: [String]

    init(_ document: APIDocument) {
        self.document = document
        codes = Set(document.problems.map(\.name))
        let answers = document.operations.flatMap(\.answers).map(\.headers)
        commonHeaders = answers.first?.filter { name in answers.allSatisfy { $0.contains(name) } } ?? []
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
                "title": "\(document.title) API", "summary": document.summary, "style": Self.style,
                "introduction": document.description.split(separator: "\n\n").map { markup(String($0)) },
                "headers": commonHeaders.map(markup), "callers": document.callers.map(caller), "variables": variables,
                "groups": document.tags.map(group), "errors": document.problems.map(problem),
                "schemas": document.schemas.map(schema),
            ] as [String: Any])
    }

    private func caller(_ caller: APIDocument.Caller) -> [String: Any] {
        [
            "name": caller.name, "header": caller.header ?? "Authorization: Bearer …",
            "description": markup(caller.description),
        ]
    }

    private func group(_ tag: APIDocument.Tag) -> [String: Any] {
        [
            "name": tag.name.prefix(1).uppercased() + tag.name.dropFirst(),
            "anchor": tag.name.replacing(" ", with: "-"), "description": markup(tag.description),
            "operations": document.operations.filter { $0.tags.contains(tag.name) }.map(operation),
        ]
    }

    private func operation(_ operation: APIDocument.Operation) -> [String: Any] {
        [
            "id": operation.id, "method": operation.method.uppercased(), "verb": operation.method,
            "path": operation.path, "summary": operation.summary,
            "description": operation.description.map { [markup($0)] } ?? [], "callers": callers(of: operation),
            "parameters": operation.parameters.map(parameter), "hasParameters": !operation.parameters.isEmpty,
            "bodies": operation.bodies.map(body), "answers": operation.answers.map(answer),
            "samples": samples(of: operation),
        ]
    }

    private func callers(of operation: APIDocument.Operation) -> String {
        guard !operation.callers.isEmpty else { return "anyone" }
        return operation.callers.map { together in
            together.map { "<a href=\"#caller-\($0)\">\($0)</a>" }.joined(separator: " and ")
        }.joined(separator: ", or ")
    }

    private func parameter(_ parameter: APIDocument.Parameter) -> [String: Any] {
        [
            "name": parameter.name, "type": "\(parameter.place), \(type(parameter.schema))",
            "required": parameter.isRequired, "description": sentence(parameter.description),
        ]
    }

    private func body(_ media: APIDocument.Media) -> [String: Any] {
        // Its members stand with the operation, so that nobody has to look them up.
        let schema = document.schemas.first { $0.name == media.schema.reference } ?? media.schema
        return ["media": media.type].merging(description(of: schema, as: type(media.schema))) { $1 }
    }

    private func answer(_ answer: APIDocument.Answer) -> [String: Any] {
        let isProblem = answer.status.first != "2"
        let headers = answer.headers.filter { !commonHeaders.contains($0) }
        return [
            "status": answer.status, "description": markup(answer.description),
            "bodies": isProblem ? [] : answer.bodies.map { ["type": type($0.schema)] },
            "headers": headers.isEmpty ? [] : [headers.joined(separator: ", ")],
        ]
    }

    private func problem(_ problem: APIDocument.Example) -> [String: Any] {
        ["code": problem.name, "summary": markup(problem.summary ?? ""), "example": code(problem.value)]
    }

    private func schema(_ schema: APIDocument.Schema) -> [String: Any] {
        ["name": schema.name, "examples": schema.examples.map(code)]
            .merging(description(of: schema, as: schema.alternatives.isEmpty ? "" : type(schema) + ".")) { $1 }
    }

    private func description(of schema: APIDocument.Schema, as type: String) -> [String: Any] {
        [
            "type": type, "description": markup(schema.description ?? ""), "hasMembers": !schema.properties.isEmpty,
            "members": schema.properties.map { member in
                [
                    "name": member.name, "type": self.type(member.schema),
                    "required": schema.required.contains(member.name),
                    "description": sentence(member.schema.description ?? ""),
                ] as [String: Any]
            },
        ]
    }
}
