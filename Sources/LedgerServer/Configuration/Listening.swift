import Glibc
import NIOCore

/// Runs a server; if it can't listen on its address, the error names the address and the cause.
func listening(on address: ServeConfiguration.Listen, _ serve: () async throws -> Void) async throws {
    do {
        try await serve()
    } catch let error as IOError {
        guard let reason = ListenError.reasons[error.errnoCode] else { throw error }
        throw ListenError(description: "listen: \(address.host):\(address.port) \(reason)")
    }
}

/// The error of an address that can't be listened on.
struct ListenError: Error, CustomStringConvertible {
    let description: String

    fileprivate static let reasons: [CInt: String] = [
        EADDRINUSE: "is in use by another process; stop it, or choose another port",
        EADDRNOTAVAIL: "is not an address of this machine",
        EACCES: "is not allowed for this user: ports below 1024 require a privilege",
    ]
}
