/// The totals in a trailer: the number of rows, and the sums of amounts by column and currency.
struct ExportTotals: Sendable {
    private struct Sum {
        let column: Int
        /// The column with the currency; nil: the currency is fixed.
        let currencyColumn: Int?
        var byCurrency: [(currency: [UInt8], total: Int128)]
    }

    private(set) var rows: Int64 = 0
    private let columns: [Column]
    private var sums: [Sum]

    init(_ columns: [Column]) {
        self.columns = columns
        sums = columns.indices.compactMap { index in
            switch columns[index].total {
            case .currency(let currency)?:
                Sum(column: index, currencyColumn: nil, byCurrency: [(currency: Array(currency.code.utf8), total: 0)])
            case .column(let name)?:
                Sum(column: index, currencyColumn: columns.firstIndex { $0.name == name }, byCurrency: [])
            case nil: nil
            }
        }
    }

    @inline(__always)
    mutating func add(_ row: borrowing ExportRow) {
        rows += 1
        for index in sums.indices {
            guard let amount = row.integer(sums[index].column) else { continue }
            guard let currencyColumn = sums[index].currencyColumn else {
                sums[index].byCurrency[0].total += Int128(amount)
                continue
            }
            guard let currency = row.text(currencyColumn) else { continue }
            add(amount, of: currency, to: index)
        }
    }

    private mutating func add(_ amount: Int64, of currency: UnsafeRawBufferPointer, to index: Int) {
        for place in sums[index].byCurrency.indices
        where sums[index].byCurrency[place].currency.elementsEqual(currency) {
            sums[index].byCurrency[place].total += Int128(amount)
            return
        }
        sums[index].byCurrency.append((currency: Array(currency), total: Int128(amount)))
    }

    /// The totals by column and currency, with sorted currencies.
    var named: [(column: String, totals: [(currency: String, total: String)])] {
        sums.map { sum in
            let totals = sum.byCurrency.map { entry in
                (currency: String(decoding: entry.currency, as: UTF8.self), total: String(entry.total))
            }
            return (column: columns[sum.column].name, totals: totals.sorted { $0.currency < $1.currency })
        }
    }
}
