import Hummingbird

/// The API's documentation: the OpenAPI document and the reference.
///
/// The reference is made from the document; tests compare the document with the routes and with real responses.
struct OpenAPIController: Sendable {
    /// What is served below `/docs`, with its entity tag.
    private struct Served: Sendable {
        let type: String
        let body: ByteBuffer
        let tag: String

        init(_ file: Reference.File) {
            (type, body) = (file.type, ByteBuffer(string: file.text))
            tag = EntityTag(of: body).text
        }

        var response: Response {
            // Browsers ask each time whether it has changed, so that a new version needs no new name.
            Response(
                status: .ok,
                headers: [
                    .contentType: type, .eTag: tag, .cacheControl: "public, no-cache",
                    .contentSecurityPolicy: Reference.securityPolicy,
                ],
                body: ResponseBody(byteBuffer: body))
        }
    }

    private static let document = ByteBuffer(bytes: APIDocument.json)
    /// Made once, when somebody reads the first of them.
    private static let reference = Reference(.own).files.mapValues(Served.init)
    private static let pages = reference.keys.filter { $0 != Reference.first }

    /// `GET /openapi.json`.
    func document(_: Request, _: LedgerdRequestContext) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: Self.document))
    }

    /// `GET /docs`: the first page of the reference.
    func firstPage(_: Request, _: LedgerdRequestContext) throws(Problem) -> Response {
        try Self.file(Reference.first)
    }

    /// `GET /docs/{page}`: another page of the reference, or what its pages load.
    func page(_: Request, _ context: LedgerdRequestContext) throws(Problem) -> Response {
        try Self.file(context.parameters.get("page") ?? "")
    }

    private static func file(_ name: String) throws(Problem) -> Response {
        guard let file = reference[name] else {
            throw Problem(.notFound, NearestName.sentence("the page is unknown", name, known: pages))
        }
        return file.response
    }
}
