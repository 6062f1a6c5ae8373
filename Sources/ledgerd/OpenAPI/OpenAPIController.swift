import Hummingbird

/// The API, described for programs and for people.
///
/// `APIDocument.json` is the one source of both; tests compare it with the routes and with real answers.
struct OpenAPIController: Sendable {
    private static let document = ByteBuffer(bytes: APIDocument.json)
    private static let page = ByteBuffer(string: ReferencePage(APIDocument.own).html)

    func addRoutes(to router: Router<LedgerdRequestContext>) {
        router.get("openapi.json", use: document)
        router.get("docs", use: page)
    }

    /// `GET /openapi.json`.
    private func document(_: Request, _: LedgerdRequestContext) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: Self.document))
    }

    /// `GET /docs`: the same for people.
    private func page(_: Request, _: LedgerdRequestContext) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: ReferencePage.securityPolicy,
            ],
            body: ResponseBody(byteBuffer: Self.page))
    }
}
