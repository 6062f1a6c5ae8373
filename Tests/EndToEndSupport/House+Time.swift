import Foundation
package import TestSupport

extension House {
    /// Lends a time by which the services go that `body` starts: it stands still until the test moves it.
    ///
    /// It begins five minutes ahead of the machine's, by which the gateway, the database and the tests' tokens go: what
    /// those tell of now is not to come. What a service does after a pause, such as a second attempt at the gateway, it
    /// does when the time is moved; what it is called for, it does at once.
    package static func withTime(_ body: (ManualTime) async throws -> Void) async throws {
        try await ManualTime.with(at: Date(timeIntervalSinceNow: 300), body)
    }
}
