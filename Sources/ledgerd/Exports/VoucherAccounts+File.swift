import Foundation
import Ledger

extension VoucherAccounts {
    /// Reads a file; nil: it can't be used.
    init?(path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)), let accounts = try? VoucherAccounts([UInt8](data))
        else { return nil }
        self = accounts
    }
}
