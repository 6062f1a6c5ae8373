/// Runs the operations at the same time and returns the result of each, in their order.
package func together<Output: Sendable>(
    _ count: Int, _ operation: @Sendable @escaping (Int) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        for index in 0..<count { group.addTask { (index, try await operation(index)) } }
        var outputs: [Int: Output] = [:]
        for try await (index, output) in group { outputs[index] = output }
        return (0..<count).compactMap { outputs[$0] }
    }
}
