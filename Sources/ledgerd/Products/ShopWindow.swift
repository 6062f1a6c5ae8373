import Batching
import Hummingbird
import Ledger
import LedgerWire
import Synchronization
import WireFormats

/// What is on sale, kept for a second at most: however many ask, the database is asked once.
///
/// Its age counts from before the database was asked, so that no answer is older than that. Who comes when it is too old
/// waits for the next look, together with all who do.
struct ShopWindow: Sendable {
    /// What was on sale at a moment.
    struct View: Sendable {
        /// The products, cheapest first.
        let products: [Product]
        /// The answer to `GET /v1/products`.
        let response: Response
        fileprivate let asOf: ContinuousClock.Instant

        fileprivate var isFresh: Bool { asOf.duration(to: .now) < ShopWindow.lifetime }
    }

    private final class Latest: Sendable {
        let view = Mutex<View?>(nil)
    }

    /// How old an answer may be.
    static let lifetime = Duration.seconds(1)

    private let latest: Latest
    private let looks: BatchQueue<Void, View>

    /// - Parameter look: asks the database.
    init(look: @escaping @Sendable () async throws -> [Product]) {
        let latest = Latest()
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

    /// What is on sale, as it was within the last second.
    ///
    /// - Throws: ``LedgerError`` when the database can't be asked.
    func view() async throws -> View {
        if let view = latest.view.withLock(\.self), view.isFresh { return view }
        return try await looks.submit(())
    }

    private static func view(_ latest: Latest, _ look: () async throws -> [Product]) async throws -> View {
        // Who came while the last look was under way may take what it saw.
        if let view = latest.view.withLock(\.self), view.isFresh { return view }
        let asOf = ContinuousClock.now
        let products = try await look()
        let body = ProductsBody(products: products.map(ProductBody.init)).written()
        let view = View(
            products: products, response: Response(headers: [.cacheControl: "public, no-cache"], encodedJSON: body),
            asOf: asOf)
        latest.view.withLock { $0 = view }
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
