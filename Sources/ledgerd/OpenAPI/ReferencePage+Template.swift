import Mustache

extension ReferencePage {
    /// Mustache escapes values, except in three braces, which contain HTML.
    static let template: MustacheTemplate = {
        do {
            return try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("invalid template: \(error)")
        }
    }()

    /// A list of parameters or members, with type and description.
    private static func list(of name: String) -> String {
        """
        <ul class="members">
        {{#\(name)}}
        <li><code class="name">{{name}}</code><span class="type">{{{type}}}</span>\
        {{#required}}<span class="required">required</span>{{/required}}
        <p>{{{description}}}</p></li>
        {{/\(name)}}
        </ul>
        """
    }

    private static let text = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}}</title>
        <style>{{{style}}}</style>
        </head>
        <body>
        <nav class="contents" aria-label="Contents">
        <a class="skip" href="#content">Skip to the content</a>
        <a class="home" href="#content">{{title}}</a>
        <ul>
        <li><a href="#authentication">Authentication</a></li>
        <li><a href="#examples">Examples</a></li>
        {{#groups}}
        <li><a href="#{{anchor}}">{{name}}</a>
        <ul>
        {{#operations}}<li><a href="#{{id}}">{{summary}}</a></li>
        {{/operations}}
        </ul></li>
        {{/groups}}
        <li><a href="#errors">Errors</a></li>
        <li><a href="#schemas">Schemas</a></li>
        </ul>
        </nav>
        <main id="content">
        <h1>{{title}}</h1>
        <p class="lede">{{summary}}</p>
        {{#introduction}}<p>{{{.}}}</p>
        {{/introduction}}
        {{#headers}}<p>Every response has the header <code>{{{.}}}</code>.</p>
        {{/headers}}
        <p>For programs: <a href="openapi.json">openapi.json</a>, OpenAPI 3.1.</p>

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
        <figure><pre tabindex="0"><code>set -a; . .ledgerd/dev.env; set +a</code></pre></figure>
        </section>

        {{#groups}}
        <section class="part" aria-labelledby="{{anchor}}">
        <h2 id="{{anchor}}"><a href="#{{anchor}}">{{name}}</a></h2>
        <p>{{{description}}}</p>
        <ul class="index">
        {{#operations}}
        <li><a href="#{{id}}">{{summary}}</a> <span><span class="method {{verb}}">{{method}}</span><code>{{path}}</code></span></li>
        {{/operations}}
        </ul>
        {{#operations}}
        <section class="entry" aria-labelledby="{{id}}">
        <h3 id="{{id}}"><a href="#{{id}}">{{summary}}</a></h3>
        <p class="route"><span class="method {{verb}}">{{method}}</span><code>{{path}}</code></p>
        <div class="columns">
        <div>
        {{#description}}<p>{{{.}}}</p>
        {{/description}}
        <p class="quiet">Caller: {{{callers}}}</p>
        {{#hasParameters}}
        <h4>Parameters</h4>
        \(list(of: "parameters"))
        {{/hasParameters}}
        {{#bodies}}
        <h4>Body: {{media}}</h4>
        <p>{{{type}}}. {{{description}}}</p>
        {{#hasMembers}}
        \(list(of: "members"))
        {{/hasMembers}}
        {{/bodies}}
        <h4>Responses</h4>
        <div class="scroll" tabindex="0" role="group" aria-label="Responses of {{id}}">
        <table>
        <thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
        <tbody>
        {{#answers}}
        <tr><th scope="row">{{status}}</th><td>{{{description}}}{{#bodies}} Body: {{{type}}}.{{/bodies}}{{#headers}}
        <span class="quiet">Headers: {{.}}.</span>{{/headers}}</td></tr>
        {{/answers}}
        </tbody>
        </table>
        </div>
        </div>
        <div class="samples">
        {{#samples}}
        <figure><figcaption>{{title}}</figcaption><pre tabindex="0"><code>{{{code}}}</code></pre></figure>
        {{/samples}}
        </div>
        </div>
        </section>
        {{/operations}}
        </section>
        {{/groups}}

        <section class="part" aria-labelledby="errors">
        <h2 id="errors"><a href="#errors">Errors</a></h2>
        <p>Each <code>code</code> of a problem, with an example. The code never changes; the title may.</p>
        {{#errors}}
        <section class="entry brief" aria-labelledby="error-{{code}}">
        <h3 id="error-{{code}}"><a href="#error-{{code}}">{{code}}</a></h3>
        <div class="columns">
        <div>
        <p>{{{summary}}}</p>
        </div>
        <div class="samples">
        <figure><pre tabindex="0"><code>{{{example}}}</code></pre></figure>
        </div>
        </div>
        </section>
        {{/errors}}
        </section>

        <section class="part" aria-labelledby="schemas">
        <h2 id="schemas"><a href="#schemas">Schemas</a></h2>
        <p>The bodies of requests and responses.</p>
        {{#schemas}}
        <section class="entry" aria-labelledby="schema-{{name}}">
        <h3 id="schema-{{name}}"><a href="#schema-{{name}}">{{name}}</a></h3>
        <div class="columns">
        <div>
        <p>{{{description}}} {{{type}}}</p>
        {{#hasMembers}}
        \(list(of: "members"))
        {{/hasMembers}}
        </div>
        <div class="samples">
        {{#examples}}
        <figure><figcaption>Example</figcaption><pre tabindex="0"><code>{{{.}}}</code></pre></figure>
        {{/examples}}
        </div>
        </div>
        </section>
        {{/schemas}}
        </section>
        </main>
        </body>
        </html>
        """
}
