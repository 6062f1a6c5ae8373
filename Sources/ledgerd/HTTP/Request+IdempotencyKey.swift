import Hummingbird
import Ledger

extension Request {
    /// The caller's own name for what it asks for; nil when it gives none.
    ///
    /// - Throws: `invalid_request` naming the header.
    func idempotencyKey() throws(Problem) -> IdempotencyKey? {
        guard let text = headers[.idempotencyKey] else { return nil }
        guard let key = IdempotencyKey(rawValue: text) else {
            throw .invalid(
                member: "Idempotency-Key", "Idempotency-Key must be 1 to 255 printable ASCII characters")
        }
        return key
    }
}
