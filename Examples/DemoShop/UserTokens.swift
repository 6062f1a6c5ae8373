import Foundation
import JWTKit

/// Signs the tokens with which the shop calls ledgerd for its signed-in users.
struct UserTokens: Sendable {
    private let keys: JWTKeyCollection
    private static let lifetime: TimeInterval = 300

    /// - Parameter secret: the HS256 secret that ledgerd has as `LEDGERD_JWT_SECRET`.
    init(secret: String) async {
        keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    }

    /// A token for one request as this user.
    func token(for user: String) async throws -> String {
        try await keys.sign(Claims(sub: user, exp: Int64(Date().timeIntervalSince1970 + Self.lifetime)))
    }

    private struct Claims: JWTPayload {
        let sub: String
        let exp: Int64
        var scope = "user"

        /// Checks nothing, because the shop only signs.
        func verify(using _: some JWTAlgorithm) {}
    }
}
