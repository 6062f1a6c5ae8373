import Hummingbird
import Mustache
import SandboxSupport

/// An HTML page without scripts and external resources.
enum HTMLPage {
    /// Renders `template` into the frame; Mustache escapes every value.
    static func render(
        _ template: MustacheTemplate, title: String, _ values: [String: Any], status: HTTPResponse.Status = .ok
    ) -> Response {
        let content = template.render(values)
        let html = frame.render(["title": title, "content": content, "style": style] as [String: Any])
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

    /// Colors have a contrast of 4.5:1 and more in both modes (WCAG 2.2, 1.4.3).
    private static let style = """
        :root {
            color-scheme: light dark;
            --page: #fff; --text: #1c2127; --quiet: #57606a; --line: #d8dee4; --panel: #f6f8fa; --link: #0a58a8;
            --note: #fff4ce; --on-link: #fff;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --page: #101418; --text: #dfe4ea; --quiet: #9da7b3; --line: #2b323b; --panel: #181d24;
                --link: #7fb8f5; --note: #3a3113; --on-link: #101418;
            }
        }
        * { box-sizing: border-box; }
        body {
            margin: 0 auto; padding: 2.5rem 1.25rem; max-width: 60rem; background: var(--page); color: var(--text);
            font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
        }
        main:has(.narrow) { max-width: 28rem; margin: 0 auto; }
        h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 1rem; }
        a { color: var(--link); }
        .note { background: var(--note); padding: .5rem 1rem; border-radius: .5rem; margin: 0 0 1.5rem; }
        .quiet { color: var(--quiet); font-size: .875rem; display: block; }
        dl { margin: 0 0 1.5rem; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; }
        dt { color: var(--quiet); font-size: .875rem; } dd { margin: 0 0 .5rem; } dd:last-child { margin: 0; }
        .amount { font-size: 1.5rem; font-weight: 650; }
        fieldset { margin: 0 0 1.5rem; padding: .5rem 1rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
        legend { padding: 0 .25rem; color: var(--quiet); font-size: .875rem; }
        label { display: block; padding: .5rem 0; } input { margin: 0 .5rem 0 0; width: 1.25rem; height: 1.25rem;
        vertical-align: -.25rem; accent-color: var(--link); }
        button {
            font: inherit; padding: .5rem 1rem; min-height: 2.5rem; border: 1px solid var(--line); color: inherit;
            border-radius: .5rem; background: var(--panel); cursor: pointer;
        }
        button.first { background: var(--link); color: var(--on-link); border-color: var(--link); font-weight: 650; }
        .choices { display: grid; gap: .75rem; }
        a:focus-visible, button:focus-visible, input:focus-visible {
            outline: 3px solid var(--link); outline-offset: 2px;
        }
        .payments { list-style: none; margin: 0; padding: 0; border-bottom: 1px solid var(--line); }
        .payments li {
            display: grid; grid-template-columns: minmax(0, 3fr) 9rem 9.5rem minmax(0, 3fr); gap: .5rem 1rem;
            padding: .9rem 0; border-top: 1px solid var(--line);
        }
        .payments h2 { font-size: 1rem; font-weight: 600; line-height: 1.5; margin: 0; }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        .acts { display: flex; flex-wrap: wrap; gap: .5rem; align-items: start; }
        .acts button { padding: .2rem .8rem; min-height: 2rem; font-size: .875rem; }
        @media (max-width: 48rem) {
            body { padding: 1.25rem 1rem; }
            .payments li { grid-template-columns: minmax(0, 1fr) 9rem; }
            .acts { grid-column: 1 / -1; }
            .acts:empty { display: none; }
        }
        """

    private static let frame = template(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}}</title>
        <style>{{{style}}}</style>
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
