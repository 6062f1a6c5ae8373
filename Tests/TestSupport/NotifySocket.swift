import Foundation
import Glibc

/// The socket that a service manager listens on.
package final class NotifySocket: Sendable {
    /// What `NOTIFY_SOCKET` says.
    package let name: String
    private let descriptor: Int32

    /// Listens.
    ///
    /// - Parameter isAbstract: whether its name is in the abstract namespace, and no file.
    package init(isAbstract: Bool = false) throws {
        let unique = "ledgerd-\(UUID().uuidString)"
        name = isAbstract ? "@" + unique : "/tmp/\(unique)"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array((isAbstract ? "\0" + unique : name).utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1))
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// The messages that have come since it was last asked, each as its lines.
    package func messages() -> [[String]] {
        var all: [[String]] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return all }
            all.append(String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init))
        }
    }
}
