import Testing

@testable import LedgerServer

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
