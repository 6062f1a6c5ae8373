import Foundation

/// Makes the lines of a store's report that has sums of products and no transactions.
///
/// A product is settled only if the report has as many of its pieces as the books, sold and given back. Each purchase then
/// has its part of our share, and what is left of its price is the store's commission: its line is booked by ``Settle``.
struct SettleBatch {
    private let report: FinanceReport
    /// Our products by the store's id; several of one id can't be told apart.
    private let products: [String: Set<String>]

    init(of report: FinanceReport, _ products: [StoreProduct]) {
        self.report = report
        self.products = products.reduce(into: [:]) { $0[$1.productID, default: []].insert($1.product) }
    }

    /// The lines of what was sold and given back in the report's period by the books.
    func file(sold: [PiecesSold], returned: [PiecesSold]) throws(SettlementFileProblem) -> SettlementFileDraft {
        var leftOut = report.leftOut
        var problems: [SettlementFileProblem] = []
        let told = (
            sold: sums(of: report.sold, &leftOut, &problems), returned: sums(of: report.returned, &leftOut, &problems)
        )
        let booked = (
            sold: Dictionary(grouping: sold, by: \.product), returned: Dictionary(grouping: returned, by: \.product)
        )
        let codes = Set(told.sold.keys).union(told.returned.keys).union(booked.sold.keys).union(booked.returned.keys)
        var lines: [SettlementLineDraft] = []
        for code in codes.sorted() {
            do throws(SettlementFileProblem) {
                let sales = try settle(code, told.sold[code], booked.sold[code] ?? [], isReturn: false)
                lines += sales + (try settle(code, told.returned[code], booked.returned[code] ?? [], isReturn: true))
            } catch {
                problems.append(error)
            }
        }
        guard !lines.isEmpty || !problems.isEmpty else { throw SettlementFileProblem(.noRows) }
        return SettlementFileDraft(
            name: report.name, sha256: report.sha256, lines: lines, problems: problems, leftOut: leftOut)
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

    private func settle(
        _ code: String, _ told: FinanceReport.Sum?, _ purchases: [PiecesSold], isReturn: Bool
    ) throws(SettlementFileProblem) -> [SettlementLineDraft] {
        var pieces: Int64 = 0
        for purchase in purchases {
            guard let count = purchase.pieces else {
                throw SettlementFileProblem(line: told?.line, .piecesUnknown(code, payment: purchase.payment))
            }
            pieces += count
        }
        guard told?.pieces ?? 0 == pieces else {
            throw SettlementFileProblem(
                line: told?.line, .piecesDiffer(code, isReturn: isReturn, report: told?.pieces ?? 0, books: pieces))
        }
        let shares = Self.shares(of: Self.won(told?.millionths ?? 0), among: purchases.map(\.amount))
        return zip(purchases, shares).map { line(of: $0, share: $1, isReturn: isReturn) }
    }

    /// A line's number is its purchase's, twice: whatever else the file settles, at another import, it stays the same.
    private func line(of purchase: PiecesSold, share: Int64, isReturn: Bool) -> SettlementLineDraft {
        let sign: Int64 = isReturn ? -1 : 1
        return SettlementLineDraft(
            number: purchase.purchaseID * 2 + (isReturn ? 1 : 0), payment: purchase.payment,
            gross: sign * purchase.amount, fee: sign * (purchase.amount - share), tax: 0, net: sign * share,
            paidOutOn: report.lastDay, paidOutAt: report.paidOutAt)
    }

    /// Millionths as whole won: the nearest, and of two the even one.
    static func won(_ millionths: Int128) -> Int64 {
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
        return Int64(rest > 500_000 || rest == 500_000 && whole % 2 == 1 ? whole + 1 : whole)
    }

    /// Shares a total by weights, so that the parts add up to it: each is rounded down, and the won that are left go to the
    /// largest remainders, of equal ones to the first.
    static func shares(of total: Int64, among weights: [Int64]) -> [Int64] {
        let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
        guard sum > 0 else { return weights.map { _ in 0 } }
        let parts = weights.map { (Int128(total) * Int128($0)).quotientAndRemainder(dividingBy: sum) }
        var shares = parts.map { Int64($0.quotient) }
        let left = Int(total - shares.reduce(0, +))
        let largest = parts.indices.sorted { (-parts[$0].remainder, $0) < (-parts[$1].remainder, $1) }
        for index in largest.prefix(left) { shares[index] += 1 }
        return shares
    }
}

extension Settlements {
    /// The lines that a finance report of the App Store means, for an import or a preview.
    ///
    /// - Throws: ``SettlementFileProblem`` for a report without anything that the books have; ``LedgerError``.
    package func lines(of report: FinanceReport) async throws -> SettlementFileDraft {
        let (sold, returned, products) = try await reading {
            (
                try await pools.reads.run(PiecesSold.sold(at: "app-store", in: report.period)),
                try await pools.reads.run(PiecesSold.returned(at: "app-store", in: report.period)),
                try await pools.reads.run(StoreProduct.list)
            )
        }
        let ofStore = products.filter { $0.store == "app-store" }
        return try SettleBatch(of: report, ofStore).file(sold: sold, returned: returned)
    }
}
