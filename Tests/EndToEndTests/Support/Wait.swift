import Testing

/// What a test waited for did not come.
struct DidNotHappen: Error, CustomStringConvertible {
    let description: String
}

/// Waits until the condition holds.
func eventually(
    _ what: String, within patience: Duration = .seconds(30), _ holds: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + patience
    while try await !holds() {
        guard .now < deadline else { throw DidNotHappen(description: "in \(patience) it did not happen that \(what)") }
        try await Task.sleep(for: .milliseconds(50))
    }
}
