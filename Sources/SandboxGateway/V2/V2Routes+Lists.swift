import FoundationEssentials
import Hummingbird
import SandboxSupport

extension V2Routes {
    /// Pages start at 0 and end at the 60,000th payment.
    func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try await V2Members(request)
        let page = try members.object("page")
        let number = try page?.integer("number", in: 0...60_000) ?? 0
        let size = try page?.integer("size", in: 1...60_000) ?? 10
        guard (number + 1) * size <= 60_000 else { throw V2Refusal.invalid("the page exceeds 60,000 payments") }
        let filter = try PaymentFilter(
            try members.object("filter") ?? V2Members(.object([:])), now: await state.currentTime)
        let payments = filter.sorted(try await state.v2Payments(store: filter.storeID))
        var items: [JSONValue] = []
        for payment in payments.dropFirst(number * size).prefix(size) { items.append(await wire(payment)) }
        return V2Answer(
            .object([
                "items": .array(items),
                "page": .object([
                    "number": .int(number), "size": .int(size), "totalCount": .int(payments.count),
                ]),
            ])
        ).response
    }

    /// Lists payments by creation, oldest first.
    func listByCursor(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let walk = try CursorWalk(try await V2Members(request), now: await state.currentTime)
        let payments = walk.page(
            of: try await state.v2Payments(store: walk.storeID), at: \.startedAt, sequence: \.sequence)
        var items: [JSONValue] = []
        for payment in payments {
            items.append(
                .object([
                    "payment": await wire(payment), "cursor": .string(CursorWalk.cursor(at: payment.sequence)),
                ]))
        }
        return V2Answer(.object(["items": .array(items)])).response
    }

    /// Money movements; they don't change with the payment.
    func listEvents(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let walk = try CursorWalk(try await V2Members(request), now: await state.currentTime)
        let listed = try await state.v2Events(store: walk.storeID)
        let items = walk.page(of: listed, at: \.event.at, sequence: \.event.sequence).map { event, payment in
            JSONValue.object([
                "paymentEvent": payment.v2Wire(event: event),
                "cursor": .string(CursorWalk.cursor(at: event.sequence)),
            ])
        }
        return V2Answer(.object(["items": .array(items)])).response
    }
}

/// The position of a cursor walk; the last item's cursor continues it.
struct CursorWalk: Sendable {
    let storeID: String?
    let size: Int
    private let from: Date
    private let until: Date
    private let after: Int

    private static let mark = "cursor-"

    init(_ members: V2Members, now: Date) throws(V2Refusal) {
        storeID = try members.text("storeId")
        size = try members.integer("size", in: 1...1000) ?? 10
        let until = try members.time("until") ?? now
        self.until = until
        from = try members.time("from") ?? until.addingTimeInterval(-90 * 86_400)
        guard from <= until else { throw .invalid("from is after until") }
        guard let cursor = try members.text("cursor") else {
            after = 0
            return
        }
        let bytes = Data(base64Encoded: cursor).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard bytes.hasPrefix(Self.mark), let after = Int(bytes.dropFirst(Self.mark.count)) else {
            throw .invalid("the cursor is invalid")
        }
        self.after = after
    }

    /// The page of elements with a time each, ordered by sequence.
    func page<Element>(
        of elements: [Element], at moment: (Element) -> Date, sequence: (Element) -> Int
    ) -> [Element] {
        // A binary search, because a walk requests every page, and each would scan all earlier elements.
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if sequence(elements[middle]) > after { high = middle } else { low = middle + 1 }
        }
        var page: [Element] = []
        for element in elements[low...] where (from...until).contains(moment(element)) {
            page.append(element)
            if page.count == size { break }
        }
        return page
    }

    static func cursor(at sequence: Int) -> String { Data((mark + String(sequence)).utf8).base64EncodedString() }
}
