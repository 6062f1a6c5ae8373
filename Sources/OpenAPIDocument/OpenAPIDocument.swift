/// The description of the API for programs (OpenAPI 3.1).
///
/// It is a target of its own because the compiler takes minutes for the embedded file, and it changes seldom.
public enum OpenAPIDocument {
    /// The JSON, as `GET /openapi.json` answers it.
    public static let json: [UInt8] = PackageResources.openapi_json
}
