import Postgres

/// A report that can be exported.
///
/// A report is declared once, beside its rows, and listed in ``all``: requests, the command, the API, the console and their
/// lists follow. `docs/exports.md` describes its columns.
package struct Report: RawRepresentable, CaseIterable, Sendable {
    /// The name in requests and of files.
    package let rawValue: String
    /// What it covers, which decides the options that apply.
    package let coverage: Coverage
    /// Its name and what it is about, as the console shows them.
    package let words: Words
    /// The Korean headings of columns whose names mean something else than in other reports.
    let korean: [String: String]
    /// The rows of a request.
    let rows: @Sendable (ExportRequest) -> any ExportRows
    /// The request once it is known that its report can be made, read from the books.
    ///
    /// A report that a setting leaves empty can't be: its zeros would be taken for figures.
    let prepare: Preparation

    typealias Preparation =
        @Sendable (ExportRequest, PostgresConnection, _ booksVAT: Bool) async throws -> Result<
            ExportRequest, ExportRefusal
        >

    init(
        _ name: String, _ coverage: Coverage, _ words: Words, korean: [String: String] = [:],
        rows: @escaping @Sendable (ExportRequest) -> any ExportRows,
        prepare: @escaping Preparation = { request, _, _ in .success(request) }
    ) {
        rawValue = name
        self.coverage = coverage
        self.words = words
        self.korean = korean
        self.rows = rows
        self.prepare = prepare
    }

    /// The report with this name; nil: there is none.
    package init?(rawValue: String) {
        guard let report = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = report
    }

    /// All reports, in the order of the documentation.
    package static let all = [
        journal, purchases, foreignPayments, foreignSettlements, revaluations, lots, trialBalance, trialBalanceTotals,
        vouchers, vat, feeAccrual, liability, prepaid, userBalances, adjustments, breakage, settlements, payouts,
        withholding, reconciliation,
        audit,
    ]

    package static var allCases: [Report] { all }

    /// What a report covers.
    package enum Coverage: Sendable {
        /// A period, as recorded by a moment.
        case period
        /// Each day of a period, which needs both ends.
        case days
        /// A moment.
        case moment
        /// A reconciliation run, which never changes.
        case run
    }

    /// The words of the console for a report.
    package struct Words: Sendable {
        /// The report's name.
        package let english: String
        package let korean: String
        /// What is in it, in English.
        package let about: String
        package let koreanAbout: String

        init(_ english: String, _ korean: String, about: String, _ koreanAbout: String) {
            self.english = english
            self.korean = korean
            self.about = about
            self.koreanAbout = koreanAbout
        }
    }

    /// Whether the report has rows for each day, so that it needs both ends of the period.
    var isByDay: Bool { coverage == .days }
}

extension Report: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
