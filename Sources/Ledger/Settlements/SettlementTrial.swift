import Foundation

/// What an import of a settlement file would do with its lines, one after the other, as ``Settle`` decides it.
struct SettlementTrial {
    private let payouts: [Int64: [SettledAmounts]]
    /// The file's id, if it was imported before.
    private let file: Int64?
    private let now: Date
    /// By purchase: the booked lines, with those that this import would book.
    private var booked: [Int64: [SettlementLine]] = [:]
    /// The purchases of which this import would settle a part, as they would be.
    private var settled: [Int64: Purchase] = [:]
    private var seen: Set<Int64> = []

    init(of draft: SettlementFileDraft, known file: Int64?, at now: Date) {
        payouts = draft.payouts
        self.file = file
        self.now = now
    }

    /// Adds booked lines, each once.
    mutating func add(_ lines: [SettlementLine]) {
        for line in lines where seen.insert(line.id).inserted {
            if let purchase = line.purchaseID { booked[purchase, default: []].append(line) }
        }
    }

    /// - Parameter purchases: those that have the line's payment id.
    mutating func take(_ draft: SettlementLineDraft, among purchases: [Purchase]) -> PreviewedLine {
        guard let found = purchases.first else { return PreviewedLine(draft: draft, outcome: .unmatched, user: nil) }
        var purchase = settled[found.id] ?? found
        let ofPurchase = booked[purchase.id] ?? []
        // A line that this file booked before stays as it is, whatever it names with another mapping.
        let isBooked = ofPurchase.contains { $0.fileID == file && $0.number == draft.number }
        if purchases.count == 1, isBooked {
            return PreviewedLine(
                draft: draft, outcome: .refused(Refusal.alreadySettled.settlementReason), user: purchase.user)
        }
        if let reason = draft.misnaming(among: purchases) {
            return PreviewedLine(
                draft: draft, outcome: .refused(reason), user: purchases.count == 1 ? found.user : nil)
        }
        var line = SettlementLine(
            id: 0, fileID: file ?? 0, draft: draft, status: .waiting, reason: nil, purchaseID: purchase.id,
            journalEntryID: nil, settledAt: nil, dismissal: nil)
        let siblings = payouts[draft.number] ?? []
        if let refusal = line.refusal(among: siblings, ofPurchase, of: purchase, at: now) {
            return PreviewedLine(draft: draft, outcome: .refused(refusal.settlementReason), user: purchase.user)
        }
        line.status = .settled
        booked[purchase.id, default: []].append(line)
        purchase.settle(draft)
        settled[purchase.id] = purchase
        return PreviewedLine(draft: draft, outcome: .booked, user: purchase.user)
    }
}
