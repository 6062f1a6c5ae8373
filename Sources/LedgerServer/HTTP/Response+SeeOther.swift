package import Hummingbird

extension Response {
    /// A redirect that a browser follows with `GET`.
    package static func seeOther(_ location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
    }
}
