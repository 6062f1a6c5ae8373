import Foundation
import Ledger

/// What rows of a statement add up to, in won.
struct SettlementTotalsBody: Encodable {
    let gross: Int64
    let fee: Int64
    let tax: Int64
    let net: Int64

    init(_ totals: SettlementTotals) {
        gross = totals.gross
        fee = totals.fee
        tax = totals.tax
        net = totals.net
    }
}

/// An imported statement of payouts, as clients read it.
struct SettlementBody: Encodable {
    let id: Int64
    let name: String
    let sha256: String
    let importedBy: String
    let importedAt: Date
    let rows: [String: Int64]
    let totals: SettlementTotalsBody

    enum CodingKeys: String, CodingKey {
        case id, name, sha256, rows, totals
        case importedBy = "imported_by"
        case importedAt = "imported_at"
    }

    init(_ file: SettlementFile) {
        id = file.id
        name = file.name
        sha256 = file.sha256
        importedBy = file.importedBy
        importedAt = file.importedAt
        rows = Dictionary(uniqueKeysWithValues: file.rows.map { ($0.key.rawValue, $0.value) })
        totals = SettlementTotalsBody(file.settled)
    }
}

/// A row of a statement, as clients read it.
struct SettlementRowBody: Encodable {
    let line: Int64
    let payment: String
    let gross: Int64
    let fee: Int64
    let tax: Int64
    let net: Int64
    let paidOutOn: String
    let status: String?
    let reason: String?
    let purchase: Int64?
    let journalEntryID: Int64?

    enum CodingKeys: String, CodingKey {
        case line, payment, gross, fee, tax, net, status, reason, purchase
        case paidOutOn = "paid_out_on"
        case journalEntryID = "journal_entry_id"
    }

    init(_ row: SettlementRow) {
        line = row.line
        payment = row.payment
        gross = row.gross
        fee = row.fee
        tax = row.tax
        net = row.net
        paidOutOn = row.paidOutOn
        status = row.status.rawValue
        reason = row.reason
        purchase = row.purchaseID
        journalEntryID = row.journalEntryID
    }

    init(_ row: SettlementDraft) {
        line = row.line
        payment = row.payment
        gross = row.gross
        fee = row.fee
        tax = row.tax
        net = row.net
        paidOutOn = row.paidOutOn
        status = nil
        reason = nil
        purchase = nil
        journalEntryID = nil
    }
}

/// What importing a statement came to.
struct SettlementReportBody: Encodable {
    let settlement: SettlementBody
    let settledNow: Int64
    /// Rows that could not be read, and were left out because that was asked for.
    let skipped: [String]

    enum CodingKeys: String, CodingKey {
        case settlement, skipped
        case settledNow = "settled_now"
    }

    init(_ report: SettlementReport, skipped: [StatementProblem]) {
        settlement = SettlementBody(report.file)
        settledNow = report.settledNow
        self.skipped = skipped.map(\.description)
    }
}

/// What importing a statement would come to.
struct SettlementPreviewBody: Encodable {
    let matched: Int64
    let totals: SettlementTotalsBody
    let unmatched: [SettlementRowBody]
    let unmatchedCount: Int64
    let skipped: [String]

    enum CodingKeys: String, CodingKey {
        case matched, totals, unmatched, skipped
        case unmatchedCount = "unmatched_count"
    }

    init(_ preview: SettlementPreview, skipped: [StatementProblem]) {
        matched = preview.matched
        totals = SettlementTotalsBody(preview.totals)
        unmatched = preview.unmatched.map { SettlementRowBody($0) }
        unmatchedCount = preview.unmatchedCount
        self.skipped = skipped.map(\.description)
    }
}

/// A payment that is outstanding, as clients read it.
struct OutstandingBody: Encodable {
    let purchase: Int64
    let gateway: String
    let impUID: String
    let merchantUID: String
    let paymentID: String?
    let paidAt: Date
    let credited: Int64
    let refunded: Int64
    let settled: Int64
    let outstanding: Int64

    enum CodingKeys: String, CodingKey {
        case purchase, gateway, credited, refunded, settled, outstanding
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case paidAt = "paid_at"
    }

    init(_ payment: OutstandingPayment) {
        purchase = payment.purchaseID
        gateway = payment.payment.gateway
        impUID = payment.payment.impUID
        merchantUID = payment.payment.merchantUID
        paymentID = payment.payment.paymentID
        paidAt = payment.paidAt
        credited = payment.credited
        refunded = payment.refunded
        settled = payment.settled
        outstanding = payment.outstanding
    }
}

/// A page of what is outstanding, with the account's balance that all pages add up to.
struct OutstandingPageBody: Encodable {
    let asOf: Date
    let balance: Int64
    let outstanding: [OutstandingBody]
    let hasMore: Bool
    let nextCursor: String?

    enum CodingKeys: String, CodingKey {
        case balance, outstanding
        case asOf = "as_of"
        case hasMore = "has_more"
        case nextCursor = "next_cursor"
    }

    init(_ page: OutstandingPage) throws {
        asOf = page.asOf
        balance = page.balance
        outstanding = page.payments.map(OutstandingBody.init)
        nextCursor = try page.next.map { try Cursor.encode($0) }
        hasMore = nextCursor != nil
    }
}
