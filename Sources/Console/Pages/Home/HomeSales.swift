import Foundation
import Ledger

/// The sales of the days of a month, of which those that are over are kept for ten minutes.
///
/// Today is read each time. Late receipts and refunds change days that are over a little, so they are not kept longer.
actor HomeSales {
    private var kept: [Date: (readAt: Date, sales: [ProductSales])] = [:]
    private static let patience: TimeInterval = 600

    /// The sales between neighbouring bounds, which are ascending.
    ///
    /// - Parameter read: reads the sales between bounds.
    func list(
        between bounds: [Date], now: Date, _ read: @Sendable ([Date]) async throws -> [ProductSales]
    ) async throws -> [ProductSales] {
        guard let start = bounds.first else { return [] }
        let known = bounds.dropLast().prefix { day in
            kept[day].map { now.timeIntervalSince($0.readAt) < Self.patience } ?? false
        }
        let old = known.flatMap { kept[$0]?.sales ?? [] }
        let asked = Array(bounds.dropFirst(known.count))
        guard asked.count > 1 else { return old }
        let found = try await read(asked)
        let sales = Dictionary(grouping: found, by: \.day)
        kept = kept.filter { $0.key >= start }
        for (day, end) in zip(asked, asked.dropFirst()) where end <= now { kept[day] = (now, sales[day] ?? []) }
        return old + found
    }
}
