import FoundationEssentials
import Hummingbird
import SandboxSupport

extension GoogleRoutes {
    /// Purchases that were taken back, the oldest first, in pages.
    func voidedPurchases(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        try await quota.count(now: clock.base)
        let filter = try VoidedFilter(request.query, now: clock.now)
        let left = await play.state.voids.enumerated().dropFirst(filter.place).filter { filter.accepts($0.element) }
        let page = left.prefix(filter.limit)
        var members: [String: JSONValue] = [:]
        if !page.isEmpty { members["voidedPurchases"] = .array(page.map(\.element.wire)) }
        if left.count > page.count, let last = page.last {
            members["tokenPagination"] = .object(["nextPageToken": .string(filter.token(after: last.offset))])
        }
        return GoogleAnswer.json(.object(members))
    }
}

/// The query of a list of voided purchases.
struct VoidedFilter: Sendable {
    /// How many places of the whole list are done.
    let place: Int
    let limit: Int
    /// In Unix milliseconds, as the API has them.
    private let from: Int
    private let until: Int
    private let hasPartial: Bool

    private static let days = 30.0
    private static let longestPage = 1000

    init(_ query: FormPairs, now: Date) throws(GoogleRefusal) {
        limit = try Self.integer(query["maxResults"], "maxResults") ?? Self.longestPage
        guard (1...Self.longestPage).contains(limit) else { throw .invalid("maxResults") }
        guard ["0", "1"].contains(query["type"] ?? "0") else { throw .invalid("type") }
        // Google's library for Python writes true and false, others True and False.
        hasPartial = query["includeQuantityBasedPartialRefund"]?.lowercased() == "true"
        if let token = query["token"] {
            guard let numbers = PageToken.numbers(token), numbers.count == 3 else { throw .invalid("token") }
            (from, until, place) = (numbers[0], numbers[1], numbers[2])
            return
        }
        let oldest = now.addingTimeInterval(-Self.days * 86_400).milliseconds
        from = try Self.integer(query["startTime"], "startTime") ?? oldest
        until = try Self.integer(query["endTime"], "endTime") ?? now.milliseconds
        place = 0
        guard from >= oldest else { throw .invalid("startTime") }
        guard until <= now.milliseconds else { throw .invalid("endTime") }
    }

    func accepts(_ void: PlayVoid) -> Bool {
        let seenAt = void.seenAt.milliseconds
        return from <= seenAt && seenAt <= until && (hasPartial || void.quantity == nil)
    }

    /// The page after the place `last`; its times stay those of the first page.
    func token(after last: Int) -> String { PageToken.text([from, until, last + 1]) }

    private static func integer(_ text: String?, _ name: String) throws(GoogleRefusal) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number >= 0 else { throw .invalid(name) }
        return number
    }
}

/// Numbers as an opaque text.
private enum PageToken {
    static func text(_ numbers: [Int]) -> String {
        Base64URL.encode(Data(numbers.map(String.init).joined(separator: "_").utf8))
    }

    static func numbers(_ text: String) -> [Int]? {
        guard let bytes = Base64URL.decode(text) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "_")
        let numbers = parts.compactMap { Int($0) }.filter { $0 >= 0 }
        return numbers.count == parts.count ? numbers : nil
    }
}

/// Counts the requests for voided purchases by day and by half a minute.
actor VoidedQuota {
    private var perDay = 6000
    private var perHalfMinute = 30
    private var windows: [Int: (index: Int, count: Int)] = [:]

    /// Sets the limits; nil for Google's.
    func set(perDay: Int?, perHalfMinute: Int?) {
        self.perDay = perDay ?? 6000
        self.perHalfMinute = perHalfMinute ?? 30
    }

    /// Counts a request.
    ///
    /// - Throws: ``GoogleRefusal`` when there were too many.
    func count(now: Date) throws(GoogleRefusal) {
        let counts = [86_400, 30].map { count(in: $0, now: now) }
        guard counts[0] <= perDay, counts[1] <= perHalfMinute else { throw .quotaExceeded }
    }

    private func count(in seconds: Int, now: Date) -> Int {
        let index = Int(now.timeIntervalSince1970) / seconds
        let count = windows[seconds].map { $0.index == index ? $0.count : 0 } ?? 0
        windows[seconds] = (index, count + 1)
        return count + 1
    }
}
