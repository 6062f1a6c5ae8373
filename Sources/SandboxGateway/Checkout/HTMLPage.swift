import Hummingbird
import Mustache

/// An HTML page without scripts and external resources.
enum HTMLPage {
    /// Renders `template` into the frame; Mustache escapes every value.
    static func render(
        _ template: MustacheTemplate, title: String, _ values: [String: Any], status: HTTPResponse.Status = .ok
    ) -> Response {
        let content = template.render(values)
        let html = frame.render(["title": title, "content": content] as [String: Any])
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy:
                    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// The page for an error.
    static func refusal(_ error: ControlError, backTo url: String? = nil) -> Response {
        var values: [String: Any] = ["detail": error.field + " " + error.rule]
        values["url"] = url
        return render(refused, title: "Request refused", values, status: error.status)
    }

    /// Redirects to `url` with GET.
    static func seeOther(_ url: String) -> Response {
        Response(status: .seeOther, headers: [.location: url, .cacheControl: "no-store"])
    }

    /// Parses a built-in template; an error is a bug.
    static func template(_ text: String) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("invalid template: \(error)")
        }
    }

    private static let frame = template(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}}</title>
        <style>
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
        fieldset { margin: 1rem 0; } label { display: block; padding: .3rem 0; }
        button { font: inherit; padding: .4rem 1rem; margin: 0 .5rem .5rem 0; }
        table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem;
        border-bottom: 1px solid #999; vertical-align: top; } form.inline { display: inline; }
        .note { background: #fff3cd; color: #333; padding: .5rem 1rem; }
        </style>
        </head>
        <body>
        <main>
        <h1>{{title}}</h1>
        <p class="note">Sandbox: payments are simulated.</p>
        {{{content}}}
        </main>
        </body>
        </html>

        """)

    private static let refused = template(
        """
        <p role="alert">{{detail}}</p>
        {{#url}}<p><a href="{{url}}">Back to the shop</a></p>{{/url}}
        """)
}
