package import Foundation

/// What a test waited for did not come.
package struct DidNotHappen: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// How long tests wait for what should come: much longer than any machine needs, so that only a hang ends it.
///
/// It is shorter than a suite's limit, so that the failure says what did not come.
package enum Patience {
    package static let hang = Duration.seconds(15 * 60)
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

/// Waits until a moment has passed, for what only time brings about, such as an expiry.
package func passing(_ moment: Date) async throws {
    // The moment is the fact.
    try await Task.sleep(for: .seconds(max(0, moment.timeIntervalSinceNow) + 0.1))
}
