import Hummingbird

/// Uses the caller's `X-Request-Id`, if valid, and adds the request's id to the response.
struct RequestIDMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let inbound = request.headers[.requestID], RequestID.isAcceptable(inbound) {
            context.name(inbound)
        }
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        return response
    }
}

/// The id of a request in its response, log lines and problem.
enum RequestID {
    /// 128 random bits in hexadecimal.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return hexadecimal(generator.next()) + hexadecimal(generator.next())
    }

    /// Whether a caller's id is valid: 1 to 128 characters of `A–Z a–z 0–9 . _ : -`.
    ///
    /// Other ids could forge log lines or headers. They are replaced; the request is not refused.
    static func isAcceptable(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let digit = UInt8(value >> UInt64(60 - index * 4) & 0xF)
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
    }
}
