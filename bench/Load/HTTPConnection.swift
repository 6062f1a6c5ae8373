import Glibc

/// A blocking HTTP connection to a server on this machine.
final class HTTPConnection {
    let socket: Int32
    private var received: [UInt8] = []

    struct Failed: Error, CustomStringConvertible {
        let description: String

        init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
    }

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failed("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let failure = Failed("connect to port \(port)")
            close(socket)
            throw failure
        }
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    /// Sends a request and waits for the response.
    func ask(_ request: HTTPRequest) throws -> (status: Int, body: String) {
        try send(request.bytes)
        while true {
            if let answer = try take() { return answer }
            guard try receive() else { throw Failed("the server closed the connection") }
        }
    }

    /// Sends bytes.
    ///
    /// Throws if they do not fit into the socket's buffer.
    func send(_ bytes: [UInt8]) throws {
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failed("send")
        }
    }

    /// Waits for data and receives it.
    ///
    /// - Returns: false when the server closed the connection.
    func receive() throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else { throw Failed("receive") }
            received += buffer[..<count]
            return count > 0
        }
    }

    /// The status of the received response; nil: not complete yet.
    func takeStatus() throws -> Int? {
        guard let answer = try HTTPAnswer(received[...]) else { return nil }
        defer { received.removeAll(keepingCapacity: true) }
        return answer.status
    }

    private func take() throws -> (status: Int, body: String)? {
        guard let answer = try HTTPAnswer(received[...]) else { return nil }
        defer { received.removeAll(keepingCapacity: true) }
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }
}

/// The bytes of a request, and the expected status.
struct HTTPRequest: Sendable {
    let bytes: [UInt8]
    let expected: Int

    init(
        _ method: String = "GET", _ path: String, token: String? = nil, key: String? = nil, cookie: String? = nil,
        body: String = "", expecting expected: Int = 200
    ) {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        if let key { text += "Idempotency-Key: \(key)\r\n" }
        if let cookie { text += "Cookie: \(cookie)\r\n" }
        if method != "GET" { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        bytes = Array((text + "\r\n" + body).utf8)
        self.expected = expected
    }
}
