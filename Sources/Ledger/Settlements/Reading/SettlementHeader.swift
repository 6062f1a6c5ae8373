import Currencies
import Foundation

/// The columns that a settlement file has, for a person who says which one is which.
package struct SettlementHeader: Sendable, Equatable {
    /// A column of the file.
    package struct Column: Sendable, Equatable {
        /// How a mapping calls it: its name, or `#` and its number in a file without names, or with one name twice.
        package let value: String
        /// Its name in the file; empty: it has none.
        package let name: String
        /// What the first row has there.
        package let sample: String
    }

    /// The line of the header; nil: the file has none.
    package let line: Int64?
    /// In the file's order.
    package let columns: [Column]
    /// The column of each field, as far as names tell.
    package let likely: [SettlementMapping.Field: String]

    /// Finds the header of a file, by the names that Korean gateways give their columns.
    ///
    /// - Throws: ``SettlementFileProblem`` when the file has nothing in it.
    package static func find(in sheets: SettlementSheets) throws(SettlementFileProblem) -> SettlementHeader {
        var best: (score: Int, header: SettlementHeader)?
        for sheet in sheets.all {
            for records in sheet.readings {
                guard let found = candidate(records), found.score > best?.score ?? 0 else { continue }
                best = found
            }
        }
        guard let header = best?.header else { throw SettlementFileProblem(.emptyFile(wanted: [])) }
        return header
    }

    /// Whether the file has all of these columns.
    package func has(_ columns: [SettlementMapping.Field: String]) -> Bool {
        let values = Set(self.columns.map(\.value))
        return !columns.isEmpty && columns.values.allSatisfy(values.contains)
    }

    /// The record that is most like a header, and how much: known names count most, then how many columns it has.
    private static func candidate(_ records: CSVRecords) -> (score: Int, header: SettlementHeader)? {
        let first = Array(records.prefix(SettlementTable.depth + 1)).filter { !$0.isBlank && !$0.isMalformed }
        let scored = first.enumerated().map { (index: $0.offset, score: score($0.element)) }
        guard let top = scored.map(\.score).max(), let chosen = scored.first(where: { $0.score == top }) else {
            return nil
        }
        guard top > 0 else {
            let widest = first.max { $0.fields.count < $1.fields.count }
            return widest.map { ($0.fields.count, SettlementHeader(unnamed: $0)) }
        }
        let below = chosen.index + 1 < first.count ? first[chosen.index + 1].fields : []
        return (top, SettlementHeader(first[chosen.index], below: below))
    }

    /// 0: it is no header.
    private static func score(_ record: CSVRecords.Record) -> Int {
        let names = record.fields.map(\.trimmed).filter { !$0.isEmpty }
        let known = SettlementMapping.Field.allCases.count { field in names.contains { field.isKnown(as: $0) } }
        let hasNumbers = names.contains { WonText.parse($0) != nil }
        guard known >= 2 || names.count >= 3 && !hasNumbers else { return 0 }
        return known * 10_000 + min(names.count, 9999)
    }

    private init(_ record: CSVRecords.Record, below: [String]) {
        let names = record.fields.map(\.asColumnName)
        let isRepeating = Set(names.filter { !$0.isEmpty }).count < names.count { !$0.isEmpty }
        line = record.line
        columns = names.indices.filter { !names[$0].isEmpty }.prefix(Self.most).map { index in
            Column(
                value: isRepeating || names[index].hasPrefix("#") ? "#\(index + 1)" : names[index],
                name: names[index], sample: index < below.count ? Self.sample(below[index]) : "")
        }
        likely = Self.likely(columns)
    }

    private init(unnamed record: CSVRecords.Record) {
        line = nil
        columns = record.fields.indices.prefix(Self.most).map { index in
            Column(value: "#\(index + 1)", name: "", sample: Self.sample(record.fields[index]))
        }
        likely = [:]
    }

    /// The most columns that a person is asked about.
    private static let most = 200

    private static func sample(_ field: String) -> String { String(field.asColumnName.prefix(30)) }

    private static func likely(_ columns: [Column]) -> [SettlementMapping.Field: String] {
        var likely: [SettlementMapping.Field: String] = [:]
        for field in SettlementMapping.Field.allCases {
            let taken = Set(likely.values)
            for name in field.knownNames {
                let match = columns.first { $0.name.asKnownName == name && !taken.contains($0.value) }
                guard let match else { continue }
                likely[field] = match.value
                break
            }
        }
        // Files in won may have them, too.
        let sample: String? = columns.first { $0.value == likely[.currency] }?.sample
        let hasPayout: Bool = likely[.payoutRate] != nil || likely[.payoutWon] != nil
        if !namesCurrency(sample, hasPayout: hasPayout) {
            (likely[.currency], likely[.payoutRate], likely[.payoutWon]) = (nil, nil, nil)
        }
        return likely
    }

    /// Whether a cell says a currency as rows are read: `KRW(원)` or `410` would make each row of a file in won a problem.
    ///
    /// - Parameter hasPayout: whether the file tells a rate, so that an empty cell can be of a row in won.
    private static func namesCurrency(_ sample: String?, hasPayout: Bool) -> Bool {
        guard let sample else { return false }
        if Currencies.Currency(sample) != nil { return true }
        return hasPayout && SettlementFileReader.isWon(sample)
    }
}

extension SettlementMapping.Field {
    /// The names of such columns in the files of Korean gateways, the most telling first; letters and digits only.
    fileprivate var knownNames: [String] {
        switch self {
        case .payment:
            [
                "주문번호", "상점주문번호", "가맹점주문번호", "고객사주문번호", "merchantuid", "paymentid", "impuid", "포트원결제번호",
                "결제번호", "결제id", "주문id", "orderid", "orderno", "거래번호", "거래id", "tid",
            ]
        case .gross:
            ["거래금액", "결제금액", "승인금액", "매출금액", "거래액", "결제액", "총금액", "gross", "grossamount", "amount"]
        case .fee: ["수수료", "결제수수료", "pg수수료", "거래수수료", "수수료금액", "수수료공급가액", "fee", "pgfee"]
        case .tax: ["부가세", "수수료부가세", "부가가치세", "수수료vat", "부가세액", "세액", "vat", "tax"]
        case .net:
            [
                "정산금액", "정산액", "지급금액", "지급액", "입금금액", "입금액", "실지급액", "정산예정금액", "지급예정금액", "net",
                "netamount", "payoutamount",
            ]
        case .paidOutAt:
            [
                "정산일", "정산일자", "지급일", "지급일자", "입금일", "입금일자", "정산예정일", "지급예정일", "입금예정일",
                "정산완료일", "paidoutat", "settlementdate", "payoutdate",
            ]
        case .currency: ["결제통화", "거래통화", "통화", "통화코드", "paymentcurrency", "currency", "currencycode"]
        case .payoutRate: ["정산환율", "적용환율", "환율", "payoutrate", "exchangerate", "fxrate"]
        case .payoutWon:
            [
                "원화정산금액", "원화정산액", "원화지급금액", "원화지급액", "원화입금액", "정산금액원화", "지급액원화", "payoutwon",
                "payoutkrw", "netkrw",
            ]
        }
    }

    fileprivate func isKnown(as name: String) -> Bool { knownNames.contains(name.asKnownName) }
}

extension String {
    /// Letters and digits only, in lower case, without the unit: `수수료 (원)` is `수수료`.
    fileprivate var asKnownName: String {
        let bare = replacing("(원)", with: "").replacing("(₩)", with: "").replacing("(KRW)", with: "")
        return String(bare.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}
