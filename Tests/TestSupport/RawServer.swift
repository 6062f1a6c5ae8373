import Glibc
import Synchronization

/// Answers every connection on a loopback port with fixed bytes, then ends it.
package final class RawServer: Sendable {
    /// How a connection ends.
    package enum Ending: Sendable {
        /// As it should.
        case close
        /// With a reset.
        case reset
        /// Not before the client does; nothing more is sent.
        case silence
        /// Not before the client does; a byte is sent every second.
        case drip
    }

    package let port: Int
    private let listener: Int32
    private let accepted: Counter

    /// How many connections were made.
    package var connections: Int { accepted.count.load(ordering: .relaxed) }

    /// Sends `head` once and then `filler` for ever, until the client closes; without a filler, ends as `ending` says.
    package init(head: String, filler: String = "", ending: Ending = .close) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
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
        let counter = Counter()
        accepted = counter
        var thread = pthread_t()
        let script = Unmanaged.passRetained(Script(listener, head, filler, ending, counter)).toOpaque()
        pthread_create(
            &thread, nil,
            { script in
                guard let script else { return nil }
                Unmanaged<Script>.fromOpaque(script).takeRetainedValue().serve()
                return nil
            }, script)
        pthread_detach(thread)
    }

    /// Ends the thread, which closes the listener: were it closed here, the thread could go on with another server's
    /// listener that got the same number.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    package struct Failed: Error {}

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    private final class Script {
        let listener: Int32
        let head: [UInt8]
        let filler: [UInt8]
        let ending: Ending
        let counter: Counter

        init(_ listener: Int32, _ head: String, _ filler: String, _ ending: Ending, _ counter: Counter) {
            self.listener = listener
            self.ending = ending
            self.counter = counter
            self.head = Array(head.utf8)
            self.filler = Array(filler.utf8)
        }

        func serve() {
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                counter.count.add(1, ordering: .relaxed)
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                var sent = send(connection, head, head.count, Int32(MSG_NOSIGNAL))
                while sent > 0, !filler.isEmpty {
                    sent = send(connection, filler, filler.count, Int32(MSG_NOSIGNAL))
                }
                end(connection)
                close(connection)
            }
        }

        private func end(_ connection: Int32) {
            switch ending {
            case .close: break
            case .reset:
                var now = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            case .silence: waitForClose(connection) {}
            case .drip: waitForClose(connection) { send(connection, [0x20], 1, Int32(MSG_NOSIGNAL)) }
            }
        }

        /// Waits until the client is gone; calls `everySecond` meanwhile.
        private func waitForClose(_ connection: Int32, _ everySecond: () -> Void) {
            let hasHungUp: Int16 = 0x2000  // POLLRDHUP, which the module of glibc does not have
            var client = pollfd(fd: connection, events: hasHungUp, revents: 0)
            while poll(&client, 1, 1000) == 0 { everySecond() }
        }
    }
}
