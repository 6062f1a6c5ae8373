import CCurl
import Glibc

/// A curl easy handle: one transfer at a time; reused.
///
/// Driver thread only.
struct CurlEasy: Hashable {
    let handle: UnsafeMutableRawPointer

    init?() {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
    }

    init(handle: UnsafeMutableRawPointer) {
        self.handle = handle
    }

    func free() {
        curl_easy_cleanup(handle)
    }

    var status: Int {
        var status = 0
        _ = ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// Configures the handle for `transfer`, which must live as long as it is in the multi handle.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if curl refuses it.
    func prepare(
        for transfer: CurlTransfer, _ configuration: CurlTransport.Configuration,
        knownAddresses: UnsafeMutablePointer<curl_slist>?
    ) throws(TransportError) {
        curl_easy_reset(handle)
        try setHouseRules(isSecure: transfer.request.url.isSecure)
        if let authoritiesFile = configuration.authoritiesFile {
            try set(CURLOPT_CAINFO, authoritiesFile)
            // curl would also trust the system's directory of authorities.
            try check(ccurl_set_string(handle, CURLOPT_CAPATH, nil))
        }
        try setRequest(transfer.request)
        guard let fields = transfer.makeFields() else {
            throw TransportError(.invalidRequest, "a header field must not contain control characters")
        }
        try check(ccurl_set_list(handle, CURLOPT_HTTPHEADER, fields))
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try check(ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context))
        try check(ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context))
        try check(ccurl_set_receive(handle, CURLOPT_WRITEFUNCTION, receiveBody))
        try check(ccurl_set_receive(handle, CURLOPT_HEADERFUNCTION, receiveHead))
        if let knownAddresses { try check(ccurl_set_list(handle, CURLOPT_RESOLVE, knownAddresses)) }
        if let addressGuard = configuration.addressGuard {
            transfer.addressGuard = addressGuard
            try check(ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context))
            try check(ccurl_set_open_socket(handle, openSocket))
        }
    }

    /// Options of every request.
    private func setHouseRules(isSecure: Bool) throws(TransportError) {
        try set(CURLOPT_PROTOCOLS_STR, isSecure ? "https" : "http")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_NOPROXY, "*")
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, ccurl_tls12)
        try set(CURLOPT_HTTP_VERSION, ccurl_http2_over_tls)
        // Wait for a shared connection instead of opening one each; plain HTTP/1.1 can't share and would only wait.
        try set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        try set(CURLOPT_PATH_AS_IS, 1)
        // Otherwise a hanging name service would block the driver thread when a transfer ends.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setRequest(_ request: HTTPRequest) throws(TransportError) {
        try set(CURLOPT_URL, request.url.text)
        if request.needsFreshConnection {
            try set(CURLOPT_FRESH_CONNECT, 1)
            try set(CURLOPT_PIPEWAIT, 0)  // a new connection is never shared
        }
        try set(CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.wholeMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, request.totalTimeout.wholeMilliseconds)
        try check(
            ccurl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(max(1, request.maxResponseBytes))))
        if !request.body.isEmpty || request.method == .post {
            try check(
                ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
            try check(
                request.body.withUnsafeBytes { body in
                    var nothing: UInt8 = 0
                    return ccurl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, body.baseAddress ?? .init(&nothing))
                })
        }
        if request.method != .get || !request.body.isEmpty {
            try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(ccurl_set_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(ccurl_set_string(handle, option, value))
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else {
            throw TransportError(.invalidRequest, String(cString: curl_easy_strerror(code)))
        }
    }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private func receiveHead(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.receiveHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

/// Opens the socket of a connection, unless its address is forbidden; curl then tries the host's next address.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return CURL_SOCKET_BAD }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = ccurl_address(address, &bytes)
    guard transfer.allowsConnection(to: Array(bytes.prefix(count))) else { return CURL_SOCKET_BAD }
    let socket = address.pointee
    return Glibc.socket(socket.family, socket.socktype | Int32(SOCK_CLOEXEC.rawValue), socket.protocol)
}

extension Duration {
    /// Milliseconds for curl; at least 1, because 0 means no limit.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
