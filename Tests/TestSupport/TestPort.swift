import Glibc
import Synchronization

/// Ports of servers that must be known before they listen, or that come back at the same place.
package enum TestPort {
    /// Below the ports that the kernel gives out (ip(7): from 32768), so that no other socket gets one by chance.
    private static let range = 20_000..<32_000
    private static let last = Mutex(Int.random(in: range))

    /// A port of this machine on which nobody listens, and that this process has not been given before.
    package static func next() -> Int {
        last.withLock { last in
            for _ in range {
                last = last + 1 < range.upperBound ? last + 1 : range.lowerBound
                if isFree(last) { break }
            }
            return last
        }
    }

    private static func isFree(_ port: Int) -> Bool {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
