import Foundation
import Ledger
import Logging
import Metrics
import ServiceLifecycle

/// Has the chain follow the journal, and seals it when a day has begun.
///
/// Several processes may do it at once: one adds what another has left, and a day is sealed once.
struct ChainService: Service {
    let ledger: Ledger
    /// What seals are signed with; nil: there are none.
    let key: SealKey?
    let timeZone: TimeZone
    let logger: Logger

    /// Nobody waits for it, and each time makes a link.
    static let interval: Duration = .seconds(30)

    /// Works until the service shuts down.
    func run() async throws {
        if key == nil { logger.warning("the books are not sealed: there is no seal_key") }
        let repetition = Repetition(pause: Self.interval, failure: "the chain stands still", logger: logger)
        await repetition.run {
            await recordLag()
            do {
                // A large ledger takes minutes at first; what is linked by then stays.
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

    /// Seals once a day, as soon as a process runs in it.
    private func seal() async throws {
        guard let key else { return }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        guard let kept = try await ledger.seals.make(with: key, unlessSince: calendar.startOfDay(for: Date())) else {
            return
        }
        // The log is elsewhere, too.
        logger.info(
            "sealed",
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
