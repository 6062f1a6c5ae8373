import FoundationEssentials
import Hummingbird
import SandboxSupport

extension AppleRoutes {
    /// Version 2: every type, in any state.
    func history(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        try await history(request, context) { _ in true }
    }

    /// Version 1, which has no finished consumables but refunded ones.
    func historyWithoutFinished(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        try await history(request, context) {
            $0.productType != "CONSUMABLE" || $0.finishedAt == nil || $0.revocation != nil
        }
    }

    private func history(
        _ request: Request, _ context: SandboxRequestContext,
        _ isListed: @escaping @Sendable (AppleTransaction) -> Bool
    ) async throws -> Response {
        let filter = try HistoryFilter(request.query)
        let customer = try await state.customer(of: try context.segment("id"), in: environment)
        let page = await state.history(
            of: customer, in: environment, after: filter.revision, isDescending: filter.isDescending
        ) { isListed($0) && filter.accepts($0) }
        var members = try members(of: page)
        members["bundleId"] = .string(app.bundleID)
        members["environment"] = .string(environment.rawValue)
        if environment == .production { members["appAppleId"] = .int(app.appAppleID) }
        return AppleAnswer.json(.object(members))
    }

    func refunds(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let revision = try HistoryFilter.revision(request.query)
        let customer = try await state.customer(of: try context.segment("id"), in: environment)
        let page = await state.refunds(of: customer, in: environment, after: revision)
        return AppleAnswer.json(.object(try members(of: page)))
    }

    private func members(of page: AppleState.Page) throws -> [String: JSONValue] {
        [
            "revision": .string(Revision.text(page.revision)), "hasMore": .bool(page.hasMore),
            "signedTransactions": .array(try page.transactions.map(signed)),
        ]
    }

    /// By the order id of the customer's mail.
    func lookUp(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let found = await state.transactions(ofOrder: try context.segment("order"), in: environment)
        var members: [String: JSONValue] = ["status": .int(found.isEmpty ? 1 : 0)]
        if !found.isEmpty { members["signedTransactions"] = .array(try found.map(signed)) }
        return AppleAnswer.json(.object(members))
    }
}

/// The query of a transaction history.
struct HistoryFilter: Sendable {
    let revision: Int?
    let isDescending: Bool
    private let start: Date?
    private let end: Date?
    private let products: [String]
    private let types: [String]
    private let ownership: String?
    private let isRevoked: Bool?

    private static let productTypes = ["AUTO_RENEWABLE", "NON_RENEWABLE", "CONSUMABLE", "NON_CONSUMABLE"]

    init(_ query: FormPairs) throws(AppleRefusal) {
        revision = try Self.revision(query)
        start = try Self.time(query["startDate"], orThrow: .invalidStartDate)
        end = try Self.time(query["endDate"], orThrow: .invalidEndDate)
        if let start, let end, start >= end { throw .startDateAfterEndDate }
        products = query.all("productId")
        types = query.all("productType")
        guard types.allSatisfy(Self.productTypes.contains) else { throw .invalidProductType }
        switch query["sort"] {
        case nil, "ASCENDING": isDescending = false
        case "DESCENDING": isDescending = true
        default: throw .invalidSort
        }
        ownership = query["inAppOwnershipType"]
        if let ownership, !["PURCHASED", "FAMILY_SHARED"].contains(ownership) { throw .invalidOwnershipType }
        // Apple's library for Python writes True and False.
        switch query["revoked"]?.lowercased() {
        case nil: isRevoked = nil
        case "true": isRevoked = true
        case "false": isRevoked = false
        default: throw .invalidRevoked
        }
    }

    func accepts(_ transaction: AppleTransaction) -> Bool {
        if let start, transaction.purchasedAt < start { return false }
        if let end, transaction.purchasedAt >= end { return false }
        if let ownership, transaction.ownership != ownership { return false }
        if let isRevoked, (transaction.revocation != nil) != isRevoked { return false }
        return (products.isEmpty || products.contains(transaction.productID))
            && (types.isEmpty || types.contains(transaction.productType))
    }

    static func revision(_ query: FormPairs) throws(AppleRefusal) -> Int? {
        guard let text = query["revision"] else { return nil }
        guard let place = Revision.place(text) else { throw .invalidRevision }
        return place
    }

    private static func time(_ text: String?, orThrow refusal: AppleRefusal) throws(AppleRefusal) -> Date? {
        guard let text else { return nil }
        guard let milliseconds = Int(text), milliseconds >= 0 else { throw refusal }
        return Date(milliseconds: milliseconds)
    }
}

/// A place in a list, as an opaque text.
enum Revision {
    static func text(_ place: Int) -> String { Base64URL.encode(Data("sandbox_\(place)".utf8)) }

    static func place(_ text: String) -> Int? {
        guard let bytes = Base64URL.decode(text) else { return nil }
        let plain = String(decoding: bytes, as: UTF8.self)
        return plain.hasPrefix("sandbox_") ? Int(plain.dropFirst(8)) : nil
    }
}
