package import Ledger
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
            net: draft.net, foreignGross: draft.foreign?.amount, foreignCurrency: draft.foreign?.currency.code,
            carried: line?.carried, paidOutOn: draft.paidOutOn, status: line?.status.rawValue,
            reason: line?.dismissal?.reason ?? line?.reason,
            purchase: line?.purchaseID, journalEntryID: line?.journalEntryID, dismissedBy: line?.dismissal?.by,
            dismissedAt: line?.dismissal?.at, dismissedAs: line?.dismissal?.kind?.rawValue,
            checkedBy: line?.dismissal?.checkedBy)
    }
}

extension SettlementReportBody {
    init(_ report: SettlementReport, _ others: SettlementImport.Others, in language: Language) {
        self.init(
            settlement: SettlementBody(report.file), settledNow: report.settledNow,
            skipped: others.skipped.map { $0.text(in: language) },
            leftOut: others.leftOut.map { $0.text(in: language) })
    }
}

extension SettlementPreviewBody {
    init(_ preview: SettlementPreview, _ others: SettlementImport.Others, in language: Language) {
        self.init(
            matched: preview.matched, totals: SettlementTotalsBody(preview.totals),
            unmatched: preview.unmatched.map { SettlementRowBody($0) }, unmatchedCount: preview.unmatchedCount,
            skipped: others.skipped.map { $0.text(in: language) },
            leftOut: others.leftOut.map { $0.text(in: language) })
    }
}

/// The request to dismiss a line.
struct SettlementDismissalRequestBody: Decodable {
    let reason: NonEmpty
    let kind: NonEmpty?

    typealias CodingKeys = SettlementDismissalRequest.CodingKeys
}

extension SettlementFileProblem {
    /// The place, the error and the remedy, in one line.
    package func text(in language: Language) -> String {
        switch language {
        case .english: description
        case .korean: koreanDescription
        }
    }
}

extension LeftOutRow {
    /// The row in one line.
    package func text(in language: Language) -> String {
        switch language {
        case .english: description
        case .korean: koreanDescription
        }
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
            purchase: outstanding.purchaseID, gateway: payment.gateway, impUID: payment.paymentID,
            merchantUID: payment.merchantUID, paymentID: payment.merchantPaymentID, paidAt: outstanding.paidAt,
            credited: outstanding.credited, refunded: outstanding.refunded, settled: outstanding.settled,
            outstanding: outstanding.outstanding)
    }
}

extension OutstandingPageBody {
    init(_ page: OutstandingPage, nextCursor cursor: String?) {
        self.init(
            asOf: page.asOf, balance: page.balance,
            accounts: page.accounts.map { OwedBalanceBody(account: $0.account, balance: $0.balance) },
            outstanding: page.payments.map(OutstandingBody.init),
            hasMore: cursor != nil, nextCursor: cursor)
    }
}
