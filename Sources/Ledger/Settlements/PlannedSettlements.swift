import Postgres

/// A plan's settlement lines.
struct PlannedSettlements: Sendable {
    private var records = Records<SettlementLine>()
    private var bookedByPurchase: [Int64: [Int64]] = [:]

    init(_ lines: [SettlementLine]) {
        for line in lines where records.load(line) { index(line) }
    }

    /// Lines to update.
    var changed: [SettlementLine] { records.changed }

    func line(_ id: Int64) -> SettlementLine? { records[id] }

    /// The booked lines of a purchase.
    func booked(of purchase: Purchase) -> [SettlementLine] {
        (bookedByPurchase[purchase.id] ?? []).compactMap { records[$0] }
    }

    /// Replaces a line after it was booked.
    mutating func change(_ line: SettlementLine) {
        records.change(line)
        index(line)
    }

    private mutating func index(_ line: SettlementLine) {
        if line.status == .settled, let id = line.purchaseID { bookedByPurchase[id, default: []].append(line.id) }
    }
}

extension PlannedSettlements {
    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        guard !touches.settlementLines.isEmpty else { return [] }
        return [SettlementLine.of(touches.settlementLines, touches.settled).into(\.settlementLines)]
    }

    var facts: [PostgresQuery<Int>] { PostgresQuery.facts(changed, SettlementLine.update) }
}
