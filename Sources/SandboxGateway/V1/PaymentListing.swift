import FoundationEssentials
import SandboxSupport

/// The order and pages of a list of payments (PortOne V1 contract, status list).
struct PaymentListing: Sendable {
    let sorting: String
    private let page: Int
    private let limit: Int

    static let statuses = Dictionary(uniqueKeysWithValues: V1Status.allCases.map { ($0.rawValue, $0) })

    init(_ query: FormPairs) throws(V1Refusal) {
        sorting = try Self.sorting(query)
        page = try Self.integer("page", query, default: 1, in: 1...Int.max)
        limit = try Self.integer("limit", query, default: 20, in: 1...1000)
    }

    /// The page object of sorted payments; a page after the last is refused.
    func page(of payments: [SandboxPayment]) throws(V1Refusal) -> JSONValue {
        let pages = max(1, (payments.count + limit - 1) / limit)
        guard page <= pages else { throw .badParameter("page") }
        let rows = payments.dropFirst((page - 1) * limit).prefix(limit)
        return .object([
            "total": .int(payments.count), "previous": .int(page - 1), "next": .int(page < pages ? page + 1 : 0),
            "list": .array(rows.map(\.v1Wire)),
        ])
    }

    /// Reads `sorting`; the default is `-started`.
    static func sorting(_ query: FormPairs) throws(V1Refusal) -> String {
        let sorting = query["sorting"] ?? "-started"
        guard ["started", "paid", "updated"].contains(sorting.drop { $0 == "-" }) else {
            throw .badParameter("sorting")
        }
        return sorting
    }

    static func sorted(_ payments: [SandboxPayment], by sorting: String) -> [SandboxPayment] {
        let moment: (SandboxPayment) -> Date =
            switch sorting.drop(while: { $0 == "-" }) {
            case "paid": { $0.paidAt ?? .distantPast }
            case "updated": { $0.updatedAt }
            default: { $0.startedAt }
            }
        // Ties are ordered by id, so that the order is the same on each page.
        let rising = payments.sorted { (moment($0), $0.impUID) < (moment($1), $1.impUID) }
        return sorting.hasPrefix("-") ? rising.reversed() : rising
    }

    /// The period of a status list: inclusive, by default and at most 90 days.
    static func window(_ query: FormPairs, now: Date) throws(V1Refusal) -> ClosedRange<Date> {
        let seconds = 0...4_000_000_000
        let to = try integer("to", query, default: Int(now.timeIntervalSince1970), in: seconds)
        let from = try integer("from", query, default: max(0, to - 90 * 86_400), in: seconds)
        guard from <= to, to - from <= 90 * 86_400 else { throw .badParameter("from") }
        return Date(timeIntervalSince1970: Double(from))...Date(timeIntervalSince1970: Double(to))
    }

    private static func integer(
        _ name: String, _ query: FormPairs, default standard: Int, in range: ClosedRange<Int>
    ) throws(V1Refusal) -> Int {
        guard let text = query[name], !text.isEmpty else { return standard }
        guard let value = Int(text), range.contains(value) else { throw .badParameter(name) }
        return value
    }
}
