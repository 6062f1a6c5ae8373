import Testing

/// What a test waited for did not come.
package struct DidNotHappen: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Waits until the condition holds.
package func eventually(
    _ what: String, within patience: Duration = .seconds(30), _ holds: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + patience
    while try await !holds() {
        guard .now < deadline else { throw DidNotHappen(description: "in \(patience) it did not happen that \(what)") }
        try await Task.sleep(for: .milliseconds(50))
    }
}
