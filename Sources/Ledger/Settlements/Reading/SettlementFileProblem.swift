/// An error in a settlement file or in one of its rows, and how to fix it.
package struct SettlementFileProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of the file, from 1; nil: the whole file.
    package let line: Int64?
    /// The column name in the file; nil: the whole row.
    package let column: String?
    package let fault: SettlementFileFault

    init(line: Int64? = nil, column: String? = nil, _ fault: SettlementFileFault) {
        self.line = line
        self.column = column
        self.fault = fault
    }

    /// The error and how to fix it, in English.
    package var message: String { fault.english }

    /// The place and the message in one line.
    package var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }

    /// The same in Korean.
    package var koreanDescription: String {
        let place = [line.map { "\($0)행" }, column.map { "\($0) 열" }].compactMap(\.self)
        return place.isEmpty ? fault.korean : place.joined(separator: ", ") + ": " + fault.korean
    }
}

/// A row that is no payout, and is therefore left out: it does not refuse the file.
package struct LeftOutRow: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// A sum of other rows, such as 합계.
        case total
        /// A title, or the header once more.
        case title
        /// It is not paid out in won.
        case otherCurrency
        /// It is not in the foreign currency that is settled.
        case notInCurrency(String)
        /// A product of a store that is none of ours, such as a subscription.
        case otherProduct
        /// Its amounts are zero together.
        case nothing
        /// What the books have more than a finance report.
        case notInReport
        /// A purchase, of which it can't be told how many pieces are to be settled.
        case piecesUnknown
        /// What a store keeps may have VAT of the sale in it, which ledgerd books by its own rules.
        case taxInFee
    }

    /// The line of the file, from 1; nil: the file has none.
    package let line: Int64?
    package let kind: Kind
    /// What the row says, as far as it tells which one it is.
    package let text: String

    init(line: Int64?, _ kind: Kind, _ text: String) {
        self.line = line
        self.kind = kind
        self.text = String(text.prefix(40))
    }

    /// The row in one line.
    package var description: String {
        let what =
            switch kind {
            case .total: "is a row of totals"
            case .title: "is a title"
            case .otherCurrency: "is not in won, and is not booked"
            case .notInCurrency(let code): "is not in \(code), and is not booked"
            case .otherProduct: "is no product that sells coins"
            case .nothing: "has no amount"
            case .notInReport: "are in the books and not in this report: they stay outstanding"
            case .piecesUnknown: "is no whole number of pieces, and stays outstanding"
            case .taxInFee: "is on: what the store keeps may have VAT of sales in it, and all is booked as a fee"
            }
        return (line.map { "line \($0): " } ?? "") + "\"\(text)\" \(what)"
    }

    /// The same in Korean.
    package var koreanDescription: String {
        let what =
            switch kind {
            case .total: "은(는) 합계 행입니다"
            case .title: "은(는) 제목입니다"
            case .otherCurrency: "은(는) 원화가 아니어서 기장하지 않습니다"
            case .notInCurrency(let code): "은(는) \(code) 행이 아니어서 기장하지 않습니다"
            case .otherProduct: "은(는) 코인 상품이 아닙니다"
            case .nothing: "에는 금액이 없습니다"
            case .notInReport: "은(는) 장부에 있고 이 보고서에는 없어 미정산으로 남습니다"
            case .piecesUnknown: "은(는) 수량이 정수가 아니어서 미정산으로 남습니다"
            case .taxInFee: "이(가) 켜져 있습니다. 스토어가 뺀 금액에 판매 부가세가 포함될 수 있으며, 전액을 수수료로 기장합니다"
            }
        return (line.map { "\($0)행: " } ?? "") + "\"\(text)\"\(what)"
    }
}
