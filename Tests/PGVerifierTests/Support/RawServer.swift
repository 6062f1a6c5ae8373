import Glibc

/// Answers every connection on a loopback port with fixed bytes, then closes it.
final class RawServer: Sendable {
    let port: Int
    private let listener: Int32

    /// Sends `head` once and then `filler` for ever, until the client closes.
    init(head: String, filler: String = "") throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, length) == 0, listen(listener, 16) == 0,
                    getsockname(listener, address, &length) == 0
                else { throw Failed() }
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        var thread = pthread_t()
        let script = Unmanaged.passRetained(Script(listener, head, filler)).toOpaque()
        pthread_create(
            &thread, nil,
            { script in
                guard let script else { return nil }
                Unmanaged<Script>.fromOpaque(script).takeRetainedValue().serve()
                return nil
            }, script)
        pthread_detach(thread)
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    struct Failed: Error {}

    private final class Script {
        let listener: Int32
        let head: [UInt8]
        let filler: [UInt8]

        init(_ listener: Int32, _ head: String, _ filler: String) {
            self.listener = listener
            self.head = Array(head.utf8)
            self.filler = Array(filler.utf8)
        }

        func serve() {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                var sent = send(connection, head, head.count, Int32(MSG_NOSIGNAL))
                while sent > 0, !filler.isEmpty {
                    sent = send(connection, filler, filler.count, Int32(MSG_NOSIGNAL))
                }
                close(connection)
            }
        }
    }
}
