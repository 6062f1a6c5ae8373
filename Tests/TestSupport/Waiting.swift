package import Foundation

/// What a test waited for did not come.
package struct DidNotHappen: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// How long tests wait for what should come: much longer than any machine needs, so that only a hang ends it.
///
/// It is shorter than a suite's limit, so that the failure says what did not come. `./dev mutants` makes it shorter
/// (`LEDGERD_TEST_PATIENCE`, seconds): what a mutant keeps from coming is not waited for so long.
package enum Patience {
    package static let hang = Duration.seconds(Effort.patience)
}

/// Waits until the condition holds.
///
/// - Parameters:
///   - what: what holds then, as the end of a sentence.
///   - patience: how long to wait.
///   - longestPause: the pause between two looks; the first ones are shorter.
/// - Throws: ``DidNotHappen`` when the condition does not hold in time.
package func eventually(
    _ what: String, within patience: Duration = Patience.hang, every longestPause: Duration = .milliseconds(50),
    _ holds: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + patience
    var pause = min(.milliseconds(1), longestPause)
    while try await !holds() {
        guard .now < deadline else { throw DidNotHappen(description: "in \(patience) it did not happen that \(what)") }
        // The pause between two looks.
        try await Task.sleep(for: pause)
        pause = min(pause * 2, longestPause)
    }
}

/// A millisecond that is over: what was recorded before this call is before it, and what comes afterwards is after it.
///
/// Times are reported in milliseconds.
package func emptyMillisecond() async throws -> Date {
    func milliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
    let last = milliseconds()
    try await eventually("the next millisecond has begun") { milliseconds() > last }
    let empty = milliseconds()
    try await eventually("it is over") { milliseconds() > empty }
    return Date(timeIntervalSince1970: Double(empty) / 1000)
}

/// Waits until the task is cancelled.
package func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}

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

/// What a test knows to be there; its absence is a mistake in the test.
package func sure<Value>(_ value: Value?, file: StaticString = #file, line: UInt = #line) -> Value {
    guard let value else { fatalError("expected a value", file: file, line: line) }
    return value
}
