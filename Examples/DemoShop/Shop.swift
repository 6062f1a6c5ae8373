import Foundation
import LedgerClient

/// What the shop's server does with ledgerd: calls for its users with their tokens, and spends with its own.
struct Shop: Sendable {
    private let ledgerd: URL
    private let users: UserTokens
    private let service: LedgerClient

    /// What users can spend coins on.
    static let songs = [
        Song(id: "1", title: "Morning in Seoul", coins: 10), Song(id: "2", title: "Han River at Night", coins: 30),
        Song(id: "3", title: "Concert (live)", coins: 150),
    ]

    init(ledgerd: URL, users: UserTokens, serviceToken: String) {
        self.ledgerd = ledgerd
        self.users = users
        service = LedgerClient(url: ledgerd, retries: Self.retries) { _ in serviceToken }
    }

    /// A person waits for the page, so retries end soon.
    private static let retries = RetryPolicy(attempts: 3, patience: 5)

    /// The client with which the shop acts as a user.
    func client(of user: String) -> LedgerClient {
        LedgerClient(url: ledgerd, retries: Self.retries) { _ in try await users.token(for: user) }
    }

    /// Spends a user's coins on a song.
    ///
    /// - Parameter form: the number of the form, so that a form that is sent twice spends once.
    func buy(_ song: Song, for user: String, form: String) async throws -> SpendBody {
        try await service.spend(
            SpendRequest(coins: song.coins, reference: song.reference, reason: song.title), of: user,
            key: "demo-shop/\(form)")
    }
}

/// Something to spend coins on.
struct Song: Sendable {
    let id: String
    let title: String
    /// The price, in coins.
    let coins: Int64

    var reference: String { "song:\(id)" }
}
