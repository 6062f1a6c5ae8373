import CCurl
import Synchronization

/// One request in curl.
///
/// Unchecked: it belongs to the sending task until it is submitted, then to the driver thread. Other threads use only
/// `isCancelled`, which is atomic.
final class CurlTransfer: @unchecked Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    let request: HTTPRequest
    let isCancelled = Atomic(false)

    /// When the driver ends the transfer if curl does not: curl's timer doesn't run while a transfer waits for a
    /// connection.
    private(set) var deadline: ContinuousClock.Instant = .now

    private var continuation: CheckedContinuation<Outcome, Never>?
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var head: [UInt8] = []
    private var body: [UInt8] = []
    private var isTooLarge = false
    private var isTruncated = false
    private var isForbidden = false

    /// Which addresses the driver may connect to; nil: all.
    var addressGuard: AddressGuard?

    private static let maxHeadBytes = 64 << 10

    init(_ request: HTTPRequest) {
        self.request = request
    }

    deinit {
        curl_slist_free_all(fields)
    }

    func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
        self.continuation = continuation
        deadline = .now + request.totalTimeout
    }

    /// Resumes the waiting task; a second call is ignored.
    func finish(_ outcome: Outcome) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: outcome)
    }

    /// The outcome for curl's result.
    func outcome(of code: CURLcode, on easy: CurlEasy) -> Outcome {
        if isTooLarge { return .failure(TransportError(.tooLarge, "the response is larger than allowed")) }
        guard code == CURLE_OK || isTruncated else {
            if isForbidden { return .failure(Self.forbidden) }
            return .failure(TransportError(code))
        }
        return .success(HTTPResponse(status: easy.status, headers: HTTPHeaders(raw: head), body: body))
    }

    /// The header fields for curl; nil if one could inject another line.
    func makeFields() -> UnsafeMutablePointer<curl_slist>?? {
        var lines = request.headers.map { $0.value.isEmpty ? $0.name + ";" : $0.name + ": " + $0.value }
        // What curl would add by itself: a wait before the body, and a form's type of no body at all.
        if !request.body.isEmpty { lines.append("Expect:") } else { lines.append("Content-Type:") }
        for line in lines {
            guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }), let longer = curl_slist_append(fields, line)
            else { return nil }
            fields = longer
        }
        return .some(fields)
    }

    func receiveHead(_ bytes: UnsafeRawBufferPointer) -> Int {
        // A new status line follows an interim response (100, 103), whose fields are dropped.
        if bytes.starts(with: "HTTP/".utf8) { head.removeAll(keepingCapacity: true) }
        guard head.count + bytes.count <= Self.maxHeadBytes else { return refuseRest() }
        head.append(contentsOf: bytes)
        return bytes.count
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        let room = request.maxResponseBytes - body.count
        guard bytes.count <= room else {
            guard request.truncatesResponse else { return refuseRest() }
            body.append(contentsOf: bytes.prefix(room))
            isTruncated = true
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Whether a connection to the address may be opened.
    func allowsConnection(to address: [UInt8]) -> Bool {
        guard addressGuard?.allows(address) ?? true else {
            isForbidden = true
            return false
        }
        return true
    }

    private static let forbidden = TransportError(.forbiddenAddress, "the host's address may not be connected to")

    /// Returning fewer bytes than offered makes curl abort the transfer.
    private func refuseRest() -> Int {
        isTooLarge = true
        return 0
    }
}

extension TransportError {
    /// The transport error for curl's result.
    init(_ code: CURLcode) {
        let kind: Code =
            switch code {
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
                CURLE_INTERFACE_FAILED:
                .unreachable
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
                CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_INITFAILED:
                .untrusted
            case CURLE_FILESIZE_EXCEEDED: .tooLarge
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
                CURLE_TOO_MANY_REDIRECTS:
                .malformedAnswer
            case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_OUT_OF_MEMORY:
                .invalidRequest
            default: .connectionLost
            }
        self.init(kind, String(cString: curl_easy_strerror(code)))
    }
}
