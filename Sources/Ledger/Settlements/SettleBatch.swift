import Foundation

/// Makes the lines of a store's report that has sums of products and no transactions.
///
/// A product's pieces in the report are the oldest that no report has settled, sold and given back. Each purchase then has its
/// part of our share, and what is left of its price is the store's commission: its line is booked by ``Settle``.
struct SettleBatch {
    private let report: FinanceReport
    /// Our products by the store's id; several of one id can't be told apart.
    private let products: [String: Set<String>]
    /// The lines of the period: those that the file has already, and that wait to be booked.
    private let waiting: [SettlementLineDraft]
    /// Whether VAT is booked, which Apple's commission may have in it.
    private let booksVAT: Bool

    init(
        of report: FinanceReport, _ products: [StoreProduct], waiting: [SettlementLineDraft], booksVAT: Bool
    ) {
        self.report = report
        self.booksVAT = booksVAT
        self.products = products.reduce(into: [:]) { $0[$1.productID, default: []].insert($1.product) }
        self.waiting = waiting
    }

    /// The lines of what was sold and given back until the end of the report's period by the books, the oldest first.
    func file(_ sales: [ReportableSale]) throws(SettlementFileProblem) -> SettlementFileDraft {
        var leftOut = report.leftOut
        var problems: [SettlementFileProblem] = []
        var lines = waiting
        var parts: [BatchPart] = []
        let planned = Dictionary(waiting.map { ($0.number, $0) }) { first, _ in first }
        for isReturn in [false, true] {
            let sums = sums(of: isReturn ? report.returned : report.sold, &leftOut, &problems)
            let known = Dictionary(grouping: sales, by: \.product)
            for code in Set(sums.keys).union(known.keys).sorted() {
                var matching = BatchMatching(
                    of: code, isReturn: isReturn, told: sums[code], by: report, planned: planned)
                for sale in known[code] ?? [] { matching.take(sale) }
                do throws(SettlementFileProblem) {
                    parts.append(try matching.part(&problems))
                } catch {
                    problems.append(error)
                }
                lines += matching.booked
                leftOut += matching.leftOut
            }
        }
        lines += Self.lines(of: parts, by: report)
        guard !lines.isEmpty || !problems.isEmpty else { throw SettlementFileProblem(.noRows) }
        if booksVAT { leftOut.append(LeftOutRow(line: nil, .taxInFee, "LEDGERD_VAT")) }
        return SettlementFileDraft(
            name: report.name, sha256: report.sha256, lines: lines.sorted { $0.number < $1.number },
            problems: problems, leftOut: leftOut)
    }

    /// The sums by our products.
    private func sums(
        of byName: [String: FinanceReport.Sum], _ leftOut: inout [LeftOutRow], _ problems: inout [SettlementFileProblem]
    ) -> [String: FinanceReport.Sum] {
        var sums: [String: FinanceReport.Sum] = [:]
        for (name, sum) in byName.sorted(by: { $0.value.line < $1.value.line }) {
            let codes = products[name] ?? []
            if codes.isEmpty {
                leftOut.append(LeftOutRow(line: sum.line, .otherProduct, name))
            } else if codes.count == 1, let code = codes.first {
                sums[code, default: FinanceReport.Sum(line: sum.line)]
                    .add(pieces: sum.pieces, millionths: sum.millionths)
            } else {
                problems.append(SettlementFileProblem(line: sum.line, .severalProducts(name)))
            }
        }
        return sums
    }

    /// The lines of all parts, whose share is rounded once: what they pay out together is the nearest whole won.
    private static func lines(of parts: [BatchPart], by report: FinanceReport) -> [SettlementLineDraft] {
        let won = WonShares.whole(parts.map { $0.isReturn ? -$0.millionths : $0.millionths })
        return zip(parts, won).flatMap { part, won in
            let amounts = part.sales.map { $0[part.isReturn].open }
            let shares = WonShares.shares(of: abs(won), among: amounts)
            return zip(part.sales, zip(amounts, shares)).map { sale, line in
                SettlementLineDraft(
                    of: sale, isReturn: part.isReturn, gross: line.0, share: line.1, by: report)
            }
        }
    }
}

/// A product's purchases in one direction that a report settles, and our share of them.
private struct BatchPart {
    let isReturn: Bool
    let sales: [ReportableSale]
    let millionths: Int128
}

/// Finds which purchases of a product the pieces of a report are, in one direction.
private struct BatchMatching {
    private let code: String
    private let isReturn: Bool
    private let told: FinanceReport.Sum?
    private let report: FinanceReport
    private let planned: [Int64: SettlementLineDraft]
    /// Lines of the period that are booked.
    private(set) var booked: [SettlementLineDraft] = []
    private(set) var leftOut: [LeftOutRow] = []
    /// Pieces and our share of lines that are booked, or that wait to be.
    private var settled: (pieces: Int64, share: Int64) = (0, 0)
    private var open: [(sale: ReportableSale, pieces: Int64)] = []

    init(
        of code: String, isReturn: Bool, told: FinanceReport.Sum?, by report: FinanceReport,
        planned: [Int64: SettlementLineDraft]
    ) {
        self.code = code
        self.isReturn = isReturn
        self.told = told
        self.report = report
        self.planned = planned
    }

    /// Takes the next purchase.
    mutating func take(_ sale: ReportableSale) {
        let side = sale[isReturn]
        if let line = planned[sale.number(isReturn: isReturn)] {
            settle(line, of: sale)
        } else if side.booked > 0 {
            let line = SettlementLineDraft(
                of: sale, isReturn: isReturn, gross: side.booked, share: side.share, by: report)
            booked.append(line)
            settle(line, of: sale)
        } else if side.open > 0 {
            if let pieces = sale.pieces(of: side.open) {
                open.append((sale, pieces))
            } else {
                leftOut.append(LeftOutRow(line: nil, .piecesUnknown, "\(code) \(sale.payment)"))
            }
        }
    }

    private mutating func settle(_ line: SettlementLineDraft, of sale: ReportableSale) {
        // If it can't be told, nothing more is taken.
        settled.pieces += sale.pieces(of: abs(line.gross)) ?? (told?.pieces ?? 0)
        settled.share += abs(line.net)
    }

    /// The oldest purchases that have as many pieces as the report has left.
    ///
    /// If the books have fewer, the pieces that they have get their part of the share, and the others are a problem. What the
    /// books have more stays open: it may be of a later report, and is told.
    ///
    /// - Throws: ``SettlementFileProblem`` for a share that can't be true.
    mutating func part(_ problems: inout [SettlementFileProblem]) throws(SettlementFileProblem) -> BatchPart {
        let told = told ?? FinanceReport.Sum(line: 0)
        let wanted = told.pieces - settled.pieces
        var (taken, left, later): ([ReportableSale], Int64, Int64) = ([], wanted, 0)
        for (sale, pieces) in open {
            if pieces <= left {
                taken.append(sale)
                left -= pieces
            } else {
                later += pieces
            }
        }
        if left != 0 {
            problems.append(
                SettlementFileProblem(
                    line: self.told?.line,
                    .piecesDiffer(code, isReturn: isReturn, report: told.pieces, books: told.pieces - left)))
        }
        if later > 0 { leftOut.append(LeftOutRow(line: self.told?.line, .notInReport, "\(later) × \(code)")) }
        guard !taken.isEmpty else { return BatchPart(isReturn: isReturn, sales: [], millionths: 0) }
        let share = (told.millionths - Int128(settled.share) * 1_000_000) * Int128(wanted - left) / Int128(wanted)
        let price = taken.reduce(0) { $0 + $1[isReturn].open }
        guard (0...Int128(price) * 1_000_000).contains(share) else {
            throw SettlementFileProblem(
                line: self.told?.line,
                .shareAbovePrice(code, isReturn: isReturn, share: Int64((share + 999_999) / 1_000_000), price: price))
        }
        return BatchPart(isReturn: isReturn, sales: taken, millionths: share)
    }
}

extension ReportableSale {
    fileprivate subscript(isReturn: Bool) -> Side { isReturn ? returned : sold }

    /// The number of its line in any file: what it is does not depend on the file's other lines.
    ///
    /// What was given back comes first: it makes room for what was sold once more.
    fileprivate func number(isReturn: Bool) -> Int64 { purchaseID * 2 + (isReturn ? 0 : 1) }
}

extension SettlementLineDraft {
    fileprivate init(
        of sale: ReportableSale, isReturn: Bool, gross: Int64, share: Int64, by report: FinanceReport
    ) {
        let sign: Int64 = isReturn ? -1 : 1
        self.init(
            number: sale.number(isReturn: isReturn), payment: sale.payment, gross: sign * gross,
            fee: sign * (gross - share), tax: 0, net: sign * share, paidOutOn: report.lastDay,
            paidOutAt: report.paidOutAt)
    }
}

extension Settlements {
    /// The lines that a finance report of the App Store means, for an import or a preview.
    ///
    /// If the file was imported before, the lines of it that wait are those: what was decided then is booked first.
    ///
    /// - Throws: ``SettlementFileProblem`` for a report without anything that the books have; ``LedgerError``.
    package func lines(of report: FinanceReport) async throws -> SettlementFileDraft {
        let (known, sales, products) = try await reading {
            (
                try await pools.reads.run(SettlementFile.id(of: report.sha256)),
                try await pools.adjusting.run(ReportableSale.inAppStore(until: report.period, report.lastDay)),
                try await pools.reads.run(StoreProduct.list)
            )
        }
        var waiting: [SettlementLineDraft] = []
        while let known, case let lines = try await self.waiting(of: known, after: waiting.last?.number ?? 0),
            !lines.isEmpty
        {
            waiting += lines.map(\.draft)
        }
        let ofStore = products.filter { $0.store == "app-store" }
        return try SettleBatch(of: report, ofStore, waiting: waiting, booksVAT: booksVAT).file(sales)
    }
}
