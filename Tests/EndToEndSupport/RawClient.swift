import Foundation
import Glibc
import OutboundHTTP
import TestSupport

/// One kept connection to a service, whose bytes a test sends and reads itself.
package final class RawClient: Sendable {
    private let socket: Int32

    package struct Failure: Error { let errno: Int32 }

    /// - Parameter receiveBuffer: how many bytes the kernel keeps for a client that does not read; nil: its own choice.
    package init(port: Int, receiveBuffer: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(socket, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // No test waits for ever.
        var patience = timeval(tv_sec: Int(Patience.hang.components.seconds), tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard status == 0 else { throw Failure(errno: errno) }
    }

    deinit { close(socket) }

    package func send(_ text: String) async throws {
        try await onOwnThread { [self] in
            let bytes = Array(text.utf8)
            guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                throw Failure(errno: errno)
            }
        }
    }

    /// Whether the server has ended the connection, as far as is known without waiting or reading.
    package var isEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    /// Whether bytes have come, or the server has ended the connection.
    package var isAnswered: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    /// Waits for bytes; none when the server has ended the connection.
    ///
    /// Where a socket has a time limit, a process that was stopped for a moment gets an error (signal(7)).
    private func receive(atMost size: Int = 16 << 10) async throws -> ArraySlice<UInt8> {
        try await onOwnThread { [self] in
            var buffer = [UInt8](repeating: 0, count: size)
            while true {
                let count = recv(socket, &buffer, buffer.count, 0)
                if count >= 0 { return buffer[..<count] }
                if errno != EINTR { throw Failure(errno: errno) }
            }
        }
    }

    /// Reads one answer's head and what came with it.
    package func answer() async throws -> String { try await text(until: "\r\n\r\n") }

    /// Reads until the text has come, and returns everything that came.
    package func text(until awaited: String) async throws -> String {
        var text = ""
        while !text.contains(awaited) {
            let bytes = try await receive()
            guard !bytes.isEmpty else { throw Failure(errno: ECONNRESET) }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// Reads one answer with its body, whose length its head says.
    package func wholeAnswer() async throws -> Answer {
        var bytes: [UInt8] = []
        while true {
            if let answer = Self.wholeAnswer(bytes) { return answer }
            let more = try await receive()
            guard !more.isEmpty else { throw Failure(errno: ECONNRESET) }
            bytes += more
        }
    }

    /// The answer that the bytes are; nil while some are missing.
    private static func wholeAnswer(_ bytes: [UInt8]) -> Answer? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let head = HTTPHeaders(raw: Array(bytes[..<end]))
        guard let length = head["Content-Length"].flatMap({ Int($0) }), bytes.count >= end + length else { return nil }
        let status = String(decoding: bytes.dropFirst("HTTP/1.1 ".utf8.count).prefix(3), as: UTF8.self)
        return Answer(HTTPResponse(status: sure(Int(status)), headers: head, body: Array(bytes[end...])))
    }

    /// Goes away, as a client that was ended.
    package func shutDown() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Reads until the server ends the connection, in whichever way.
    ///
    /// - Returns: the last bytes.
    package func readToEnd(keeping kept: Int = 400) async throws -> String {
        var tail: [UInt8] = []
        while true {
            let bytes: ArraySlice<UInt8>
            do {
                bytes = try await receive(atMost: 256 << 10)
            } catch let failure as Failure where failure.errno == ECONNRESET {
                bytes = []
            }
            guard !bytes.isEmpty else { return String(decoding: tail, as: UTF8.self) }
            tail = (tail + bytes).suffix(kept)
        }
    }

    /// Reads until the server ends the connection, and waits after each part.
    ///
    /// - Returns: how many bytes came.
    package func read(atMost size: Int, _ wait: () async throws -> Void) async throws -> Int {
        var total = 0
        while true {
            let count = try await receive(atMost: size).count
            if count == 0 { return total }
            total += count
            try await wait()
        }
    }
}
