import FoundationEssentials
import Synchronization

/// What tests set of Google's side.
final class PlaySettings: Sendable {
    struct Values: Sendable {
        /// Where Pub/Sub pushes; nil for no messages.
        var pushURL: String?
        /// The audience of its tokens; the URL if there is none.
        var audience: String?
        var pushEmail: String
        var subscription: String
        /// Whether messages of one-time products are sent, which is a setting of the Play Console.
        var tellsOneTime = true
        /// Whether the service account may use the API, and see what belongs to finances.
        var isPermitted = true
        var seesFinances = true
        /// How many seconds a purchase may be left unacknowledged.
        var acknowledgeWithin = 3 * 86_400.0
        /// The same for a licence tester's.
        var testAcknowledgeWithin = 300.0
        /// The shortest and the longest pause before a message is sent again.
        var backoff = 10.0...600.0
    }

    private let values: Mutex<Values>

    init(_ app: SandboxStoreConfiguration.Google) {
        values = Mutex(Values(pushURL: app.pushURL, pushEmail: app.pushEmail, subscription: app.subscription))
    }

    var current: Values { values.withLock { $0 } }

    func set(_ new: Values) { values.withLock { $0 = new } }
}
