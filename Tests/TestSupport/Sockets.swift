import Foundation
import Glibc

/// The few calls of the socket interface that the proxy needs.
enum Sockets {
    static func listen(port: Int) throws -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = loopback(port: port)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && Glibc.listen(listener, 128) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard status else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Wakes the thread that accepts, which closes the socket.
    static func endListening(_ listener: Int32) {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Connects to an address, or to the socket of a PostgreSQL server in a directory.
    static func connect(host: String, port: Int) -> Int32? {
        host.hasPrefix("/") ? connect(path: "\(host)/.s.PGSQL.\(port)") : connect(port: port)
    }

    private static func connect(path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return connect(AF_UNIX, &address, MemoryLayout<sockaddr_un>.size)
    }

    private static func connect(port: Int) -> Int32? {
        var address = loopback(port: port)
        return connect(AF_INET, &address, MemoryLayout<sockaddr_in>.size)
    }

    private static func connect<Address>(_ family: Int32, _ address: inout Address, _ size: Int) -> Int32? {
        let socket = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.connect(socket, address, socklen_t(size)) == 0
            }
        }
        if isConnected { return socket }
        close(socket)
        return nil
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Ends a connection in both directions; what is under way is thrown away.
    static func reset(_ socket: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    static func writeAll(_ socket: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = send(socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }
}
