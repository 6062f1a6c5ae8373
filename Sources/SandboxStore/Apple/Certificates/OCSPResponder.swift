import Crypto
import FoundationEssentials
import Hummingbird
import SandboxSupport
import SwiftASN1
import Synchronization

/// Answers whether the sandbox's certificates are revoked (RFC 6960), in the mode that is set.
struct OCSPResponder: Sendable {
    /// What the responder does.
    enum Mode: String, Sendable, CaseIterable {
        case good
        case revoked
        case unknown
        /// An answer whose time is over.
        case stale
        /// An answer from ten minutes ahead.
        case future
        /// The status tryLater, without an answer.
        case tryLater = "try_later"
        /// HTTP 500.
        case error
        /// The connection is reset.
        case down
    }

    static let path = "apple/ocsp"

    let authority: AppleAuthority
    let clock: SandboxClock
    let mode: ModeSwitch

    /// The mode, which tests set.
    final class ModeSwitch: Sendable {
        private let value = Mutex(Mode.good)

        var mode: Mode { value.withLock { $0 } }

        func set(_ mode: Mode) { value.withLock { $0 = mode } }
    }

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.post(RouterPath(Self.path), use: answer)
    }

    private func answer(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let mode = mode.mode
        switch mode {
        case .down: try await context.reset()
        case .error: return EdgeMiddleware.page(.internalServerError)
        case .tryLater: return Self.response(OCSPAnswer.tryLater)
        case .good, .revoked, .unknown, .stale, .future: break
        }
        let body = try await request.body.collect(upTo: Request.maxBodyBytes)
        guard let asked = try? OCSPQuestion(Array(body.readableBytesView)),
            let issuer = authority.issuer(of: asked.serialNumber)
        else { return Self.response(OCSPAnswer.malformedRequest) }
        let shift: Double =
            switch mode {
            case .stale: -30 * 86_400
            case .future: 600
            default: 0
            }
        let answer = try OCSPAnswer(
            certID: asked.certID, state: OCSPAnswer.State(mode), issuer: issuer.key,
            from: clock.base.addingTimeInterval(shift))
        return Self.response(answer.der)
    }

    private static func response(_ der: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/ocsp-response"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: der)))
    }
}

extension OCSPAnswer.State {
    fileprivate init(_ mode: OCSPResponder.Mode) {
        switch mode {
        case .revoked: self = .revoked
        case .unknown: self = .unknown
        default: self = .good
        }
    }
}
