import Ledger
import WireFormats

extension Approval {
    /// What the order asks for; nil for what was stored by hand.
    var storedParameters: JSON? { try? JSONParser.parse(Array(parameters.utf8)) }

    /// What the proposer saw; nil for what was stored by hand.
    var storedSeen: [String: JSON]? {
        guard case .object(let members)? = try? JSONParser.parse(Array(seen.utf8)) else { return nil }
        return members
    }
}
