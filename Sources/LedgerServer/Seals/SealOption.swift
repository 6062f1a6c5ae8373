import ArgumentParser
import Foundation
import Ledger

extension Seal {
    /// Reads the file of an option.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else { throw Refused("\(path) can't be read") }
        guard let seal = Seal(file: data) else { throw Refused("\(path) is not a seal of the books") }
        self = seal
    }
}

extension SealPublicKey {
    /// Reads the option `--public-key`; nil: it is not given.
    static func given(_ text: String?) throws -> SealPublicKey? {
        guard let text else { return nil }
        guard let key = SealPublicKey(base64: text) else {
            throw ValidationError("--public-key must be 32 bytes in base64, as `ledgerd seal keygen` prints it.")
        }
        return key
    }
}
