import LedgerTestSupport
import Logging
import Postgres
import TestSupport
import Timing

@testable import Ledger

extension TestLedger {
    /// A writer of its own, so that a test decides what is in a batch.
    ///
    /// - Parameter patience: no machine is too slow for the one of a test that is not about it.
    func writer(
        through proxy: FaultProxy? = nil, patience: Duration = .seconds(600), lotLimits: LotLimits = LotLimits(),
        vatSettings: VATSettings = .off, coinDays: CoinDays = .exact, creditsInDatabase: Bool = true,
        time: Time = .current, _ change: ((inout PostgresConfiguration) -> Void)? = nil
    ) async throws -> LedgerWriter {
        let owner = try await connectAsOwner()
        let chart = try await SystemChart.load(from: owner)
        await owner.close()
        var configuration =
            try proxy.map { try PostgresConfiguration(url: serviceURL(through: $0)) } ?? .unhurried(serviceURL)
        if let change {
            configuration.limitFactor = 1
            change(&configuration)
        }
        return LedgerWriter(
            configuration: configuration, chart: chart, vatSettings: vatSettings, coinDays: coinDays,
            lotLimits: lotLimits, creditsInDatabase: creditsInDatabase,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), patience: patience, time: time)
    }
}
