import Glibc
import NIOCore

/// Runs a server, and says of an address that can't be listened on which it is and what to do about it.
func listening(on address: ServeConfiguration.Listen, _ serve: () async throws -> Void) async throws {
    do {
        try await serve()
    } catch let error as IOError {
        guard let reason = ListenError.reasons[error.errnoCode] else { throw error }
        throw ListenError(description: "listen: \(address.host):\(address.port) \(reason)")
    }
}

/// An address that can't be listened on.
struct ListenError: Error, CustomStringConvertible {
    let description: String

    fileprivate static let reasons: [CInt: String] = [
        EADDRINUSE: "is in use: another process listens there; stop it, or choose another port",
        EADDRNOTAVAIL: "is not an address of this machine",
        EACCES: "is not open to this user: ports below 1024 need a privilege",
    ]
}
