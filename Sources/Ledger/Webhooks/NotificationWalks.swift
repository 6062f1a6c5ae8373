package import Foundation
import Postgres

/// Until when the notifications of a gateway were walked.
extension WebhookRecords {
    /// The end of the last complete walk of one of the gateway's lists of notifications; nil: there was none.
    package func walkedUntil(_ list: String, of gateway: String) async throws(LedgerError) -> Date? {
        try await reading { try await pools.work.run(NotificationWalk.end(list, of: gateway)) }
    }

    /// Notes that a list was walked as a whole, and what it had is stored.
    package func noteWalk(_ list: String, of gateway: String, until end: Date) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(NotificationWalk.note(list, of: gateway, until: end)) }
    }
}

enum NotificationWalk {
    static func end(_ list: String, of gateway: String) -> PostgresQuery<Date?> {
        .first(
            "SELECT walked_until FROM notification_walk WHERE gateway = $1 AND list = $2 LIMIT 1", [gateway, list])
    }

    /// Of several processes, the one that came further counts.
    static func note(_ list: String, of gateway: String, until end: Date) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO notification_walk (gateway, list, walked_until) VALUES ($1, $2, $3)
            ON CONFLICT (gateway, list) DO UPDATE
            SET walked_until = greatest(notification_walk.walked_until, excluded.walked_until)
            """, [gateway, list, end])
    }
}
