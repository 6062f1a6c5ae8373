import Foundation
import Ledger
import Logging
import Metrics
import ServiceLifecycle
import Timing

/// Adds new journal entries to the hash chain, and seals the chain once a day.
///
/// Several processes can do this at the same time; each entry is added once, and each day is sealed once.
struct ChainService: Service {
    let ledger: Ledger
    /// The key that signs seals; nil: no seals are made.
    let key: SealKey?
    let timeZone: TimeZone
    let logger: Logger

    /// A long interval, because nothing waits for the chain, and each run adds a link.
    static let interval: Duration = .seconds(30)

    /// Runs until the service shuts down.
    func run() async throws {
        if key == nil { logger.warning("the books are not sealed because seal_key is not set") }
        let repetition = Repetition(pause: Self.interval, failure: "can't extend the hash chain now", logger: logger)
        await repetition.run {
            await recordLag()
            do {
                // The first run takes minutes for a large ledger; a shutdown keeps the links that are made so far.
                try await cancelWhenGracefulShutdown {
                    try await linkUp()
                    try await seal()
                }
            } catch {
                await recordLag()
                throw error
            }
            await recordLag()
            return .afterPause
        }
    }

    private func recordLag() async {
        Gauge(label: "ledgerd_chain_lag_seconds").record((try? await ledger.chain.lag()) ?? .zero)
    }

    private func linkUp() async throws {
        let added = try await ledger.chain.linkUp()
        Counter(label: "ledgerd_chain_entries_total").increment(by: added)
    }

    /// Seals the books, unless they were sealed today.
    private func seal() async throws {
        guard let key else { return }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        guard let kept = try await ledger.seals.make(with: key, unlessSince: calendar.startOfDay(for: Time.current.now))
        else {
            return
        }
        // The log is stored outside the database, so the seal is logged too.
        logger.info(
            "sealed the books",
            metadata: [
                "seal": "\(kept.id)", "entries": "\(kept.seal.content.entries)",
                "head": "\(kept.seal.content.head)",
                "key_id": "\(kept.seal.publicKey.id)",
            ])
        Counter(label: "ledgerd_seals_total").increment()
    }
}

extension Gauge {
    fileprivate func record(_ duration: Duration) { record(duration / .seconds(1)) }
}
