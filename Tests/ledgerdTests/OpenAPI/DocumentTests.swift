import Testing

@testable import ledgerd

extension APIDocumentWritingTests {
    /// A part of the document, as it is written.
    ///
    /// - Parameter anchors: the members that lead to it, each with its indentation.
    private static func expectWritten(_ value: OrderedJSON, at anchors: String..., end: String) throws {
        let blanks = String(repeating: " ", count: anchors.count * 2 + 2)
        let text = value.members.map { member in
            let value = member.value.text(width: 118 - blanks.count).replacing("\n", with: "\n" + blanks)
            return "\(blanks)\(OrderedJSON.string(member.name).line): \(value)"
        }.joined(separator: ",\n")
        let block = GeneratedBlock(page: "docs/openapi.json", anchors: anchors, end: end)
        #expect(try block.committed(comparedWith: text) == text)
    }

    @Test func `the document has the operations as they are declared`() throws {
        try Self.expectWritten(DocumentPaths.paths, at: "\n  \"paths\": {\n", end: "\n  },\n  \"webhooks\": {")
        try Self.expectWritten(
            DocumentPaths.parameters, at: "\n  \"components\": {\n", "\n    \"parameters\": {\n", end: "\n    }")
        try Self.expectWritten(
            DocumentPaths.headers, at: "\n  \"components\": {\n", "\n    \"headers\": {\n", end: "\n    }")
        try Self.expectWritten(
            DocumentPaths.responses, at: "\n  \"components\": {\n", "\n    \"responses\": {\n", end: "\n    }")
    }
}

/// What is declared of operations is whole.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DocumentTests {
    @Test func `each operation has an id, a route and a place of its own`() throws {
        let operations = Operation.all
        #expect(operations.count > 120)
        #expect(Set(operations.map(\.id)).count == operations.count)
        #expect(Set(operations.map { "\($0.method) \($0.path)" }).count == operations.count)
        for operation in operations {
            let inPath = operation.path.matches(of: /\{(\w+)\}/).map { String($0.1) }
            #expect(inPath == operation.parameters.filter { $0.place == .path }.map(\.name), "\(operation.id)")
            #expect(operation.answers.contains { $0.status < 300 }, "\(operation.id)")
            for link in operation.answers.flatMap(\.links) {
                #expect(operations.contains { $0.id == link.operation }, "\(operation.id): \(link.operation)")
            }
        }
    }

    @Test func `each sentence of an operation has its form`() {
        for operation in Operation.all {
            #expect(operation.summary.last != ".", "\(operation.id)")
            #expect(operation.description.map { $0.last == "." || $0.last == "`" } ?? true, "\(operation.id)")
            #expect(operation.answers.allSatisfy { $0.description.last == "." }, "\(operation.id)")
        }
    }
}
