import Glibc

/// The service manager that started the process, usually systemd.
///
/// It gets messages about the state of the process.
///
/// This is sd_notify(3) without libsystemd: each message is a datagram to the socket in `NOTIFY_SOCKET`. Without that
/// variable, nothing is sent.
struct ServiceManager: Sendable {
    /// A message.
    enum State: Sendable, Equatable {
        /// The service is ready.
        case ready
        /// The service is stopping.
        case stopping
        /// The service is alive; must be sent more often than ``ServiceManager/watchdogPeriod``.
        case alive
        /// The text that `systemctl status` shows.
        case status(String)
        /// The start or the stop can take this much longer from now on.
        case extendTimeout(Duration)

        fileprivate var assignment: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            case .status(let text): "STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))"
            case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(Int64(time / .microseconds(1)))"
            }
        }
    }

    /// The address of the socket; nil without a service manager.
    private let address: sockaddr_un?
    private let length: socklen_t
    /// The maximum time between two ``State/alive`` messages; nil if none are expected.
    let watchdogPeriod: Duration?

    /// - Parameters:
    ///   - environment: the environment of the process, with `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///   - pid: the process id; a watchdog for another process is ignored.
    init(environment: [String: String], pid: pid_t = getpid()) {
        (address, length) = Self.address(environment["NOTIFY_SOCKET"] ?? "") ?? (nil, 0)
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(pid) } ?? true
        let period = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogPeriod = isOurs && address != nil && period > 0 ? .microseconds(period) : nil
    }

    /// No service manager: messages are not sent.
    static let none = ServiceManager(environment: [:])

    /// Sends a message; waits at most one second, and again if the process was stopped meanwhile.
    ///
    /// - Returns: whether the message was sent.
    @discardableResult
    func notify(_ states: State...) -> Bool {
        guard var address else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let message = Array(states.map(\.assignment).joined(separator: "\n").utf8)
        var sent = 0
        repeat {
            sent = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), address, length)
                }
            }
            // A process that was stopped for a moment is told so where a socket has a time limit (signal(7)).
        } while sent < 0 && errno == EINTR
        return sent == message.count
    }

    /// The address of a path, or of a name in the abstract namespace, which starts with `@`.
    private static func address(_ name: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        guard let first = bytes.first, [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // The NUL after a path is optional, and an abstract name must not have one.
        return (address, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
    }
}
