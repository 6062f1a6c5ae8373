import Foundation
import Ledger
import Logging
import ServiceLifecycle

/// Adds new journal entries to the sums by day and kind of account, from which pages of the books are made.
///
/// Several processes can do this at the same time; each entry is added once.
struct AccountDaysService: Service {
    let ledger: Ledger
    /// Of the days.
    let timeZone: TimeZone
    let logger: Logger

    /// A page of the books adds what is new itself, so this only keeps that little.
    private static let interval: Duration = .seconds(15)

    func run() async throws {
        let repetition = Repetition(
            pause: Self.interval, longestPause: .seconds(60), failure: "can't add up the days of the books now",
            logger: logger)
        await repetition.run {
            try await ledger.accountDays.addUp(in: timeZone) == .more ? .atOnce : .afterPause
        }
    }
}
