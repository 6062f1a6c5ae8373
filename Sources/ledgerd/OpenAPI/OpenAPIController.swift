import Hummingbird

/// The API's documentation: the OpenAPI document and a reference page.
///
/// The page is made from the document; tests compare the document with the routes and with real responses.
struct OpenAPIController: Sendable {
    private static let document = ByteBuffer(bytes: APIDocument.json)
    private static let page = ByteBuffer(string: ReferencePage(APIDocument.own).html)

    /// `GET /openapi.json`.
    func document(_: Request, _: LedgerdRequestContext) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: Self.document))
    }

    /// `GET /docs`: the reference page.
    func page(_: Request, _: LedgerdRequestContext) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: ReferencePage.securityPolicy,
            ],
            body: ResponseBody(byteBuffer: Self.page))
    }
}
