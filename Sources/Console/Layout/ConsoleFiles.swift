import Hummingbird
import LedgerServer

/// The console's own files: style sheet, script and icon.
struct ConsoleFiles: Sendable {
    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        add("console.css", Layout.style + Layout.frameStyle + Chart.style, "text/css; charset=utf-8", to: group)
        add("console.js", Layout.script + Layout.frameScript, "text/javascript; charset=utf-8", to: group)
        add("icon.svg", Layout.icon, "image/svg+xml", to: group)
    }

    private func add(
        _ name: String, _ text: String, _ type: String, to group: RouterGroup<LedgerdRequestContext>
    ) {
        let body = ByteBuffer(string: text)
        let tag = EntityTag(of: body).text
        group.get(RouterPath(name)) { _, context in
            context.recordFile()
            // Browsers ask each time whether it has changed, so that a new version needs no new name.
            return Response(
                status: .ok, headers: [.contentType: type, .eTag: tag, .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: body))
        }
    }
}
