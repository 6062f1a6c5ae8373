import Foundation

/// Makes the lines of a store's report that has sums of products and no transactions.
///
/// A product's pieces in the report are the oldest that no report has settled, sold and given back. Each purchase then has its
/// part of our share, and what is left of its price is the store's commission: its line is booked by ``Settle``. A report in a
/// foreign currency settles what was paid in it, and all of its won are at the rate of the payout.
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
        // What is kept back makes room for what is sold once more.
        let returned = direction(isReturn: true, of: sales)
        let sold = direction(isReturn: false, of: sales, keptBack: returned.amounts)
        let problems = sold.problems + returned.problems
        var leftOut = report.leftOut + sold.leftOut + returned.leftOut
        let lines =
            waiting + sold.booked + returned.booked + Self.lines(of: sold.parts + returned.parts, by: report)
        guard !lines.isEmpty || !problems.isEmpty else { throw SettlementFileProblem(.noRows) }
        if booksVAT { leftOut.append(LeftOutRow(line: nil, .taxInFee, "LEDGERD_VAT")) }
        return SettlementFileDraft(
            name: report.name, sha256: report.sha256, lines: lines.sorted { $0.number < $1.number },
            problems: problems, leftOut: leftOut)
    }

    /// What the report has of all products in one direction.
    ///
    /// - Parameter keptBack: by purchase, what the report keeps back of it.
    private func direction(
        isReturn: Bool, of sales: [ReportableSale], keptBack: [Int64: Int64] = [:]
    ) -> BatchDirection {
        var direction = BatchDirection()
        let planned = Dictionary(grouping: waiting) { $0.number / ReportableSale.mostLines }
        let sums = sums(of: isReturn ? report.returned : report.sold, &direction.leftOut, &direction.problems)
        let known = Dictionary(grouping: sales, by: \.product)
        for code in Set(sums.keys).union(known.keys).sorted() {
            var matching = BatchMatching(of: code, isReturn: isReturn, told: sums[code], by: report, planned: planned)
            for sale in known[code] ?? [] { matching.take(sale, keptBack: keptBack[sale.purchaseID] ?? 0) }
            do throws(SettlementFileProblem) {
                let part = try matching.part(&direction.problems)
                direction.parts.append(part)
                for line in part.lines { direction.amounts[line.sale.purchaseID, default: 0] += line.amount }
            } catch {
                direction.problems.append(error)
            }
            direction.amounts.merge(matching.waiting) { $0 + $1 }
            direction.booked += matching.booked
            direction.leftOut += matching.leftOut
        }
        return direction
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

    /// The lines of all parts, whose share in won is rounded once: what they pay out together is the nearest whole won.
    private static func lines(of parts: [BatchPart], by report: FinanceReport) -> [SettlementLineDraft] {
        let won = WonShares.whole(parts.map { $0.isReturn ? -$0.millionths : $0.millionths })
        return zip(parts, won).flatMap { part, won in
            let shares = WonShares.shares(of: abs(won), among: part.lines.map(\.amount))
            return zip(part.lines, shares).map { line, share in
                SettlementLineDraft(of: line, isReturn: part.isReturn, share: share, by: report)
            }
        }
    }
}

/// What a report has of all products in one direction.
private struct BatchDirection {
    var parts: [BatchPart] = []
    /// Lines of the period that are booked.
    var booked: [SettlementLineDraft] = []
    var problems: [SettlementFileProblem] = []
    var leftOut: [LeftOutRow] = []
    /// What lines that are not booked settle of each purchase.
    var amounts: [Int64: Int64] = [:]
}

/// What a report settles of a product in one direction, and our share of it.
private struct BatchPart {
    let isReturn: Bool
    let lines: [BatchLine]
    let millionths: Int128
}

/// What a line settles of a purchase.
private struct BatchLine {
    let sale: ReportableSale
    /// Among the lines of the purchase, period and direction, from 1.
    let place: Int64
    /// In minor units of the report's currency.
    let amount: Int64
    /// Its won at the rate of the payout.
    let gross: Int64
}

/// Finds which purchases of a product the pieces of a report are, in one direction.
private struct BatchMatching {
    private let code: String
    private let isReturn: Bool
    private let told: FinanceReport.Sum?
    private let report: FinanceReport
    /// Lines of the file that wait, by ``ReportableSale/group(isReturn:)``.
    private let planned: [Int64: [SettlementLineDraft]]
    /// Lines of the period that are booked.
    private(set) var booked: [SettlementLineDraft] = []
    private(set) var leftOut: [LeftOutRow] = []
    /// Pieces and our share of lines that are booked, or that wait to be.
    private var settled: (pieces: Int64, share: Int64) = (0, 0)
    private var open: [(line: BatchLine, pieces: Int64)] = []
    /// What lines that wait settle of each purchase.
    private(set) var waiting: [Int64: Int64] = [:]

    init(
        of code: String, isReturn: Bool, told: FinanceReport.Sum?, by report: FinanceReport,
        planned: [Int64: [SettlementLineDraft]]
    ) {
        self.code = code
        self.isReturn = isReturn
        self.told = told
        self.report = report
        self.planned = planned
    }

    /// Takes the next purchase.
    ///
    /// Its open part becomes a further line, beside those that are booked or wait, in the next place.
    mutating func take(_ sale: ReportableSale, keptBack: Int64) {
        let side = sale[isReturn]
        let waiting = planned[sale.group(isReturn: isReturn)] ?? []
        let booked = side.booked
            .filter { line in !waiting.contains { $0.place == line.place } }
            .map { SettlementLineDraft($0, of: sale, by: report) }
        for line in waiting + booked { settle(line, of: sale) }
        self.booked += booked
        // If another file took the place of a line that waits, it won't be booked.
        let left =
            waiting
            .filter { line in !side.booked.contains { $0.place == line.place } }
            .reduce(0) { $0 + abs($1.paid) }
        self.waiting[sale.purchaseID] = left
        var place = (waiting.map(\.place) + side.booked.map(\.place)).max() ?? 0
        for amount in sale.parts(isReturn: isReturn, besides: left, keptBack: keptBack) {
            place += 1
            if let pieces = sale.pieces(of: amount), place < ReportableSale.mostLines,
                let gross = report.won(ofPaid: amount)
            {
                open.append((BatchLine(sale: sale, place: place, amount: amount, gross: gross), pieces))
            } else {
                leftOut.append(LeftOutRow(line: nil, .piecesUnknown, "\(code) \(sale.payment)"))
            }
        }
    }

    private mutating func settle(_ line: SettlementLineDraft, of sale: ReportableSale) {
        // If it can't be told, nothing more is taken.
        settled.pieces += sale.pieces(of: abs(line.paid)) ?? (told?.pieces ?? 0)
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
        var (taken, left, later): ([BatchLine], Int64, Int64) = ([], wanted, 0)
        for (line, pieces) in open {
            if pieces <= left {
                taken.append(line)
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
        guard !taken.isEmpty else { return BatchPart(isReturn: isReturn, lines: [], millionths: 0) }
        let share = (told.millionths - Int128(settled.share) * 1_000_000) * Int128(wanted - left) / Int128(wanted)
        let price = taken.reduce(0) { $0 + $1.gross }
        guard (0...Int128(price) * 1_000_000).contains(share) else {
            throw SettlementFileProblem(
                line: self.told?.line,
                .shareAbovePrice(
                    code, isReturn: isReturn, share: Int64(clamping: (share + 999_999) / 1_000_000), price: price))
        }
        return BatchPart(isReturn: isReturn, lines: taken, millionths: share)
    }
}

extension ReportableSale {
    fileprivate subscript(isReturn: Bool) -> Side { isReturn ? returned : sold }

    /// More than a purchase has lines of a period and direction: each but the first is of what came after an import.
    fileprivate static let mostLines: Int64 = 500

    /// The lines of the purchase in one direction, by which their numbers begin.
    ///
    /// What was given back comes first: it makes room for what was sold once more.
    fileprivate func group(isReturn: Bool) -> Int64 { purchaseID * 2 + (isReturn ? 0 : 1) }

    /// The number of its line in any file: what it is does not depend on the file's other lines.
    fileprivate func number(isReturn: Bool, _ place: Int64) -> Int64 {
        group(isReturn: isReturn) * Self.mostLines + place
    }
}

extension SettlementLineDraft {
    fileprivate init(of line: BatchLine, isReturn: Bool, share: Int64, by report: FinanceReport) {
        let sign: Int64 = isReturn ? -1 : 1
        self.init(
            number: line.sale.number(isReturn: isReturn, line.place), payment: line.sale.payment,
            gross: sign * line.gross, fee: sign * (line.gross - share), tax: 0, net: sign * share,
            paidOutOn: report.lastDay, paidOutAt: report.paidOutAt, place: line.place,
            foreign: report.foreign(sign * line.amount))
    }

    fileprivate init(_ booked: ReportableSale.Booked, of sale: ReportableSale, by report: FinanceReport) {
        self.init(
            number: sale.number(isReturn: booked.paid < 0, booked.place), payment: sale.payment, gross: booked.gross,
            fee: booked.fee, tax: booked.tax, net: booked.net, paidOutOn: report.lastDay, paidOutAt: report.paidOutAt,
            place: booked.place, foreign: report.foreign(booked.paid))
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
                try await pools.adjusting.run(
                    ReportableSale.inAppStore(until: report.period, report.lastDay, in: report.payout?.currency)),
                try await pools.reads.run(StoreProduct.list)
            )
        }
        var waiting: [SettlementLineDraft] = []
        while let known, case let lines = try await self.waiting(of: known, after: waiting.last?.number ?? 0),
            !lines.isEmpty
        {
            waiting += lines.map(\.draft)
        }
        let ofStore = products.filter { $0.store == StoreName.appStore }
        return try SettleBatch(of: report, ofStore, waiting: waiting, booksVAT: booksVAT).file(sales)
    }
}
