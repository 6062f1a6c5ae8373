import WireFormats

/// A page of one of V1's lists (PortOne V1 contract, status list).
struct PortOneV1Page: Sendable {
    let payments: ReadElements<GatewayPayment>
    /// Whether the list continues.
    let hasNext: Bool
    /// The number of payments in the whole list; nil: not in the response.
    let total: Int?
    /// Whether the list ends before this page.
    let isPastTheEnd: Bool

    /// The result for a page after the last.
    static let pastTheEnd = PortOneV1Page(payments: .init(), hasNext: false, total: nil, isPastTheEnd: true)

    private init(payments: ReadElements<GatewayPayment>, hasNext: Bool, total: Int?, isPastTheEnd: Bool) {
        self.payments = payments
        self.hasNext = hasNext
        self.total = total
        self.isPastTheEnd = isPastTheEnd
    }

    init(_ json: JSON) throws(GatewayError) {
        guard let elements = json["list"]?.elements, let next = json["next"]?.integer else {
            throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the response isn't a page of payments")
        }
        let payments = try ReadElements(
            elements, of: PortOneV1.name, names: ("imp_uid", "merchant_uid", nil), PortOneV1Payment.read)
        self.init(
            payments: payments, hasNext: next > 0 && !elements.isEmpty,
            total: json["total"]?.integer.flatMap { Int(exactly: $0) }.flatMap(PortOneV1Place.count),
            isPastTheEnd: false)
    }
}

/// The place of a walk through V1's lists: the window of the period, the page in it, and the previous length of the
/// list.
struct PortOneV1Place: Hashable, Sendable {
    let window: Int
    let page: Int
    /// The length of the window's list when the previous page was read; nil if it doesn't matter.
    let total: Int?

    init(_ window: Int, _ page: Int, total: Int? = nil) {
        self.window = window
        self.page = page
        self.total = total
    }

    /// Reads the format of ``text``; any other text is the start.
    init(_ text: String?) {
        let parts = (text ?? "").split(separator: ",").compactMap { Int($0) }.compactMap(Self.count)
        self = parts.count >= 2 ? Self(parts[0], parts[1], total: parts.dropFirst(2).first) : Self(0, 1)
    }

    /// A number in the range of counts; nil otherwise.
    static func count(_ number: Int) -> Int? { (0...1_000_000_000).contains(number) ? number : nil }

    var text: String { ([window, page] + [total].compactMap(\.self)).map(String.init).joined(separator: ",") }

    /// The place after this page.
    ///
    /// V1's pages are numbered. A payment that changes leaves its list, and those after it move forward, possibly to a
    /// page that was already read. So if a list became shorter, as many pages are read again as it may have shifted.
    func next(after read: PortOneV1Page, pageSize: Int) -> Self {
        // Keeps the total, because the previous page may also be past the end.
        if read.isPastTheEnd, page > 1, let total { return Self(window, page - 1, total: total) }
        if let now = read.total, let before = total, now < before {
            return Self(window, max(1, page - (before - now + pageSize - 1) / pageSize), total: now)
        }
        return read.hasNext ? Self(window, page + 1, total: read.total) : Self(window + 1, 1)
    }
}
