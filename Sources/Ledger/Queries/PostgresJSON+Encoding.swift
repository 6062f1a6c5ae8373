import Foundation
import Postgres

extension PostgresJSON {
    /// A value of ours as JSON.
    init(encoding value: some Encodable) {
        do {
            self.init(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        } catch {
            preconditionFailure("a value of ours has nothing that can't be written: \(error)")
        }
    }
}
