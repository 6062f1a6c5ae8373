import Mustache

/// A template of the reference: the frame of all pages, or the content of one kind.
///
/// Mustache escapes values, except in three braces, which contain HTML.
struct ReferenceTemplates: Sendable {
    /// The text, whose names a test compares with the values.
    let text: String
    private let template: MustacheTemplate

    init(_ text: String) {
        self.text = text
        do {
            template = try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("invalid template: \(error)")
        }
    }

    func render(_ values: [String: Any]) -> String { template.render(values) }

    // MARK: The frame

    static let frame = ReferenceTemplates(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>{{title}}{{^isFirst}} · {{product}}{{/isFirst}}</title>
        <link rel="stylesheet" href="/docs/reference.css"/>
        <script src="/docs/reference.js" defer="defer"></script>
        </head>
        <body>
        <header class="contents">
        <a class="skip" href="#content">Skip to the content</a>
        <a class="home" href="/docs"{{#isFirst}} aria-current="page"{{/isFirst}}>{{product}}</a>
        <form id="search" role="search" hidden="hidden">
        <label for="find">Search</label>
        <input id="find" type="search" autocomplete="off" spellcheck="false" autocapitalize="off" \
        placeholder="path, member or code" aria-keyshortcuts="/" aria-describedby="status"/>
        <ul id="found" hidden="hidden"></ul>
        </form>
        <p id="status" role="status"></p>
        <nav aria-label="Contents">
        <ul>
        {{#groups}}
        <li><a href="{{address}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{name}}</a>
        {{#hasOperations}}
        <ul>
        {{#operations}}
        <li><a href="#{{anchor}}">{{summary}}</a></li>
        {{/operations}}
        </ul>
        {{/hasOperations}}
        </li>
        {{/groups}}
        {{#shared}}
        <li><a href="{{address}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{name}}</a></li>
        {{/shared}}
        </ul>
        </nav>
        </header>
        <main id="content" tabindex="-1">
        {{{content}}}
        </main>
        </body>
        </html>

        """)

    // MARK: The first page

    static let index = ReferenceTemplates(
        """
        <h1>{{title}}</h1>
        <p class="lede">{{summary}}</p>
        {{#introduction}}
        <p>{{{.}}}</p>
        {{/introduction}}
        {{#headers}}
        <p>Every response has the header <code>{{{.}}}</code>.</p>
        {{/headers}}
        <p>For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>

        <section class="part" aria-labelledby="authentication">
        <h2 id="authentication"><a href="#authentication">Authentication</a></h2>
        <p>Each operation names who may call it.</p>
        <div class="scroll" tabindex="0" role="group" aria-label="Callers">
        <table>
        <thead><tr><th scope="col">Caller</th><th scope="col">Header</th><th scope="col">Description</th></tr></thead>
        <tbody>
        {{#callers}}
        <tr><th scope="row" id="caller-{{name}}">{{name}}</th><td><code>{{header}}</code></td><td>{{{description}}}</td></tr>
        {{/callers}}
        </tbody>
        </table>
        </div>
        </section>

        <section class="part" aria-labelledby="examples">
        <h2 id="examples"><a href="#examples">Examples</a></h2>
        <p>Each operation has a request to copy. The requests need curl 7.87 or newer, a POSIX shell and these
        variables: {{#variables}}<code>{{name}}</code>{{^last}}, {{/last}}{{/variables}}.
        After <code>./dev up</code>, set them with this command:</p>
        <figure><figcaption>Variables</figcaption><pre tabindex="0"><code>set -a; . .ledgerd/dev.env; set +a</code></pre></figure>
        </section>

        {{#groups}}
        <section class="part" aria-labelledby="{{anchor}}">
        <h2 id="{{anchor}}"><a href="{{address}}">{{name}}</a></h2>
        <p>{{{description}}}</p>
        <ul class="index">
        {{#operations}}
        <li><a id="{{id}}" href="{{address}}">{{summary}}</a> <span><span class="method {{verb}}">{{method}}</span><code>{{path}}</code></span></li>
        {{/operations}}
        </ul>
        </section>
        {{/groups}}

        <section class="part" aria-labelledby="event-types">
        <h2 id="event-types"><a href="/docs/event-types">Event types</a></h2>
        \(names(of: "types"))
        </section>

        <section class="part" aria-labelledby="errors">
        <h2 id="errors"><a href="/docs/errors">Errors</a></h2>
        \(names(of: "errors"))
        </section>

        <section class="part" aria-labelledby="schemas">
        <h2 id="schemas"><a href="#schemas">Bodies</a></h2>
        <p>A body that only one group needs is on the page of that group.</p>
        \(names(of: "schemas"))
        </section>

        <section class="part" aria-labelledby="settings">
        <h2 id="settings"><a href="/docs/settings">Settings</a></h2>
        <p>What operators configure: the variables, their values and defaults.</p>
        </section>
        """)

    private static func names(of list: String) -> String {
        """
        <ul class="names">
        {{#\(list)}}
        <li><a id="{{anchor}}" href="{{address}}"><code>{{name}}</code></a></li>
        {{/\(list)}}
        </ul>
        """
    }
}
