import Foundation
import Ledger
import Logging
import PGVerifier
import ServiceLifecycle
import Timing

/// Stores the notifications of gateways that list them, at the start and periodically, as if they had come as webhooks.
///
/// Each has the id of its webhook, so one that came is not handled twice. A walk begins where the last complete one ended, of
/// whichever process, with an overlap; a long one is cut into days, so that one that is interrupted goes on at the last.
struct NotificationSweep: Service {
    let gateways: [any ListsNotifications]
    let interval: Duration
    let logger: Logger
    let store: NotificationStore

    private static let day: TimeInterval = 24 * 3600
    /// What was listed late, or by a clock behind ours.
    private static let overlap: TimeInterval = 3600
    /// The first walk reaches back further than the store itself repeats notifications, which is for 157 hours.
    private static let first: TimeInterval = 7 * day

    func run() async throws {
        let repetition = Repetition(pause: interval, failure: "sweep of notifications failed", logger: logger)
        await repetition.run {
            await GatewayCaller.$current.withValue(.service("sweep")) {
                for gateway in gateways {
                    for list in gateway.notificationLists { await sweep(list, of: gateway) }
                }
            }
            return .afterPause
        }
    }

    private func sweep(_ list: NotificationList, of gateway: any ListsNotifications) async {
        let labels: Logger.Metadata = ["gateway": "\(gateway.name)", "list": "\(list.name)"]
        do {
            let now = Time.current.now
            var last = try await store.walkedUntil(list, gateway.name) ?? now - Self.first
            if last > now {
                // A process with a fast clock says so: what came since it looked is in no walk.
                logger.warning(
                    "a sweep of notifications ended later than now",
                    metadata: labels.merging(["end": "\(last)"]) { $1 })
                last = now
            }
            // An hour less than the gateway lists: its clock may be ahead of ours.
            var place = max(last - Self.overlap, now - TimeInterval(list.days) * Self.day + Self.overlap)
            var found = 0
            while place < now {
                let end = min(place + Self.day, now)
                found += try await walk(list, of: gateway, in: place..<end, labels)
                try await store.noteWalk(list, gateway.name, end)
                place = end
            }
            logger.debug("sweep of notifications finished", metadata: labels.merging(["found": "\(found)"]) { $1 })
        } catch {
            logger.warning("sweep of notifications interrupted", metadata: labels.merging(["error": "\(error)"]) { $1 })
        }
    }

    /// Returns how many were not known.
    private func walk(
        _ list: NotificationList, of gateway: any ListsNotifications, in period: Range<Date>, _ labels: Logger.Metadata
    ) async throws -> Int {
        var (found, place): (Int, String?) = (0, nil)
        repeat {
            let page = try await gateway.notifications(of: list, in: period, at: place)
            for event in page.events where event.isStorable {
                if try await store.add(event) { found += 1 }
            }
            // As a webhook, it would be refused.
            for error in page.unreadable {
                logger.warning("a notification can't be read", metadata: labels.merging(["error": "\(error)"]) { $1 })
            }
            place = page.next
        } while place != nil
        return found
    }
}

/// What a sweep of notifications knows and stores.
struct NotificationStore: Sendable {
    /// The end of the last complete walk; nil: there was none.
    let walkedUntil: @Sendable (NotificationList, _ gateway: String) async throws -> Date?
    /// Notes that the list was walked until then.
    let noteWalk: @Sendable (NotificationList, _ gateway: String, _ end: Date) async throws -> Void
    /// Stores a notification, and says whether it was not known.
    let add: @Sendable (WebhookEvent) async throws -> Bool
}

extension NotificationStore {
    init(_ events: WebhookRecords) {
        self.init(
            walkedUntil: { try await events.walkedUntil($0.name, of: $1) },
            noteWalk: { try await events.noteWalk($0.name, of: $1, until: $2) },
            add: { event in
                guard case .stored = try await events.store(WebhookRecordDraft(event, source: nil)) else {
                    return false
                }
                return true
            })
    }
}
