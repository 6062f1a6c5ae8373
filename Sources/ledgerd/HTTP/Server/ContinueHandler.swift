import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells a client that waits to be asked for its body (`Expect: 100-continue`) to send it (RFC 9110 §10.1.1).
///
/// Without it such a client, curl with a longer body among them, waits for a second before it sends. Bodies are short,
/// so none is refused before it is sent.
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
