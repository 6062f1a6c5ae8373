import Batching
import Hummingbird
import Ledger
import LedgerWire
import Synchronization
import Timing
import WireFormats

/// A cache of the products on sale, valid for one second.
///
/// The age counts from before the query. Callers that find the cache too old share one query.
struct ShopWindow: Sendable {
    /// The products on sale at a moment.
    struct View: Sendable {
        /// The products, cheapest first.
        let products: [Product]
        /// The response to `GET /v1/products`.
        let response: Response
        fileprivate let asOf: ContinuousClock.Instant

        fileprivate func isFresh(at now: ContinuousClock.Instant) -> Bool {
            asOf.duration(to: now) < ShopWindow.lifetime
        }
    }

    private final class Latest: Sendable {
        let time: Time
        private let view = Mutex<View?>(nil)

        init(time: Time) { self.time = time }

        /// nil: too old.
        var fresh: View? { view.withLock(\.self).flatMap { $0.isFresh(at: time.instant) ? $0 : nil } }

        func replace(by new: View) { view.withLock { $0 = new } }
    }

    /// The maximum age.
    static let lifetime = Duration.seconds(1)

    private let latest: Latest
    private let looks: BatchQueue<Void, View>

    /// - Parameter look: queries the database.
    init(time: Time = .current, look: @escaping @Sendable () async throws -> [Product]) {
        let latest = Latest(time: time)
        self.latest = latest
        looks = BatchQueue(capacity: 8192, batchLimit: 8192) { callers in
            let outcome: Result<View, any Error>
            do {
                outcome = .success(try await Self.view(latest, look))
            } catch {
                outcome = .failure(error)
            }
            return callers.map { outcome }
        }
    }

    /// The products on sale, at most one second old.
    ///
    /// - Throws: ``LedgerError`` when the database can't be reached.
    func view() async throws -> View {
        if let view = latest.fresh { return view }
        return try await looks.submit(())
    }

    private static func view(_ latest: Latest, _ look: () async throws -> [Product]) async throws -> View {
        // Callers that arrived during the last query use its result.
        if let view = latest.fresh { return view }
        let asOf = latest.time.instant
        let products = try await look()
        let body = ProductsBody(products: products.map(ProductBody.init)).written()
        let view = View(
            products: products, response: Response(headers: [.cacheControl: "public, no-cache"], encodedJSON: body),
            asOf: asOf)
        latest.replace(by: view)
        return view
    }
}

extension ProductsBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("products", products)
        json.endObject()
    }
}
