import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Responds with 100 to `Expect: 100-continue`, so that the client sends its body (RFC 9110 §10.1.1).
///
/// Otherwise some clients, such as curl with a larger body, wait one second before they send. Bodies are small, so none
/// is refused before it is sent.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data),
            request.headerFields[.expect]?.lowercased() == "100-continue"
        {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }
}
