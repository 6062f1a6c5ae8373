/// Rows of statements of payouts as a plan sees them.
struct PlannedSettlements: Sendable {
    private var records = Records<SettlementRow>()
    private var bookedByPurchase: [Int64: [Int64]] = [:]

    init(_ rows: [SettlementRow]) {
        for row in rows where records.load(row) { index(row) }
    }

    /// Rows to update.
    var changed: [SettlementRow] { records.changed }

    func row(_ id: Int64) -> SettlementRow? { records[id] }

    /// The rows that are booked of a purchase.
    func booked(of purchase: Purchase) -> [SettlementRow] {
        (bookedByPurchase[purchase.id] ?? []).compactMap { records[$0] }
    }

    /// Replaces what is known of a row that was booked.
    mutating func change(_ row: SettlementRow) {
        records.change(row)
        index(row)
    }

    private mutating func index(_ row: SettlementRow) {
        if row.status == .settled, let id = row.purchaseID { bookedByPurchase[id, default: []].append(row.id) }
    }
}
