import Ledger
import LedgerWire

extension SettlementTotalsBody {
    init(_ totals: SettlementTotals) {
        self.init(gross: totals.gross, fee: totals.fee, tax: totals.tax, net: totals.net)
    }
}

extension SettlementBody {
    init(_ file: SettlementFile) {
        self.init(
            id: file.id, name: file.name, sha256: file.sha256, importedBy: file.importedBy,
            importedAt: file.importedAt,
            rows: Dictionary(uniqueKeysWithValues: file.lines.map { ($0.key.rawValue, $0.value) }),
            totals: SettlementTotalsBody(file.settled))
    }
}

extension SettlementRowBody {
    init(_ line: SettlementLine) {
        self.init(line.draft, line)
    }

    /// A row of a preview, or an imported row.
    init(_ draft: SettlementLineDraft, _ line: SettlementLine? = nil, namingFile: Bool = false) {
        self.init(
            settlement: namingFile ? line?.fileID : nil, line: draft.number, payment: draft.payment, gross: draft.gross,
            fee: draft.fee, tax: draft.tax,
            net: draft.net, paidOutOn: draft.paidOutOn, status: line?.status.rawValue, reason: line?.reason,
            purchase: line?.purchaseID, journalEntryID: line?.journalEntryID)
    }
}

extension SettlementReportBody {
    init(_ report: SettlementReport, skipped: [SettlementFileProblem]) {
        self.init(
            settlement: SettlementBody(report.file), settledNow: report.settledNow,
            skipped: skipped.map(\.description))
    }
}

extension SettlementPreviewBody {
    init(_ preview: SettlementPreview, skipped: [SettlementFileProblem]) {
        self.init(
            matched: preview.matched, totals: SettlementTotalsBody(preview.totals),
            unmatched: preview.unmatched.map { SettlementRowBody($0) }, unmatchedCount: preview.unmatchedCount,
            skipped: skipped.map(\.description))
    }
}

extension OutstandingAgeBody {
    init(_ age: OutstandingAge) {
        self.init(
            fromDays: age.fromDays, toDays: age.toDays, payments: age.payments, outstanding: age.outstanding)
    }
}

extension OutstandingBody {
    init(_ outstanding: OutstandingPayment) {
        let payment = outstanding.payment
        self.init(
            purchase: outstanding.purchaseID, gateway: payment.gateway, impUID: payment.impUID,
            merchantUID: payment.merchantUID, paymentID: payment.paymentID, paidAt: outstanding.paidAt,
            credited: outstanding.credited, refunded: outstanding.refunded, settled: outstanding.settled,
            outstanding: outstanding.outstanding)
    }
}

extension OutstandingPageBody {
    init(_ page: OutstandingPage, nextCursor cursor: String?) {
        self.init(
            asOf: page.asOf, balance: page.balance, outstanding: page.payments.map(OutstandingBody.init),
            hasMore: cursor != nil, nextCursor: cursor)
    }
}
