import Hummingbird
import Logging
import NIOCore

/// A request's context that also knows its connection, so that a fault can break it.
struct SandboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    /// The request's line in the journal.
    var journalID = 0

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// A path segment, percent-decoded.
    func segment(_ name: String) throws -> String {
        PercentEncoding.decode(Array(try parameters.require(name).utf8))
    }
}

extension Request {
    /// No request of this API comes near it.
    static let maxBodyBytes = 64 << 10

    var query: FormPairs { FormPairs(uri.query ?? "") }

    func fields() async throws -> RequestFields {
        RequestFields(try await body.collect(upTo: Self.maxBodyBytes), contentType: headers[.contentType])
    }
}
