import Mustache

extension ReferencePage {
    static let style = """
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
        h2 { border-bottom: 2px solid #888; margin-top: 3rem; } h3 { margin-top: 2.5rem; }
        h3 b { font-family: ui-monospace, monospace; } h3 small { font-weight: normal; color: #666; }
        code { font-family: ui-monospace, monospace; background: #8882; padding: 0 .2rem; border-radius: .2rem; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
        th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #8884; }
        nav a { margin-right: 1rem; } td p { margin: 0; } .note { color: #666; }
        @media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } a { color: #8bf; } }
        """

    /// Mustache escapes values, except in three braces, which contain HTML.
    static let template: MustacheTemplate = {
        do {
            return try MustacheTemplate(string: text)
        } catch {
            preconditionFailure("invalid template: \(error)")
        }
    }()

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
        <h1>{{title}}</h1>
        {{#introduction}}<p>{{{.}}}</p>
        {{/introduction}}
        <p>For programs: <a href="openapi.json">openapi.json</a>, OpenAPI 3.1.</p>
        <nav>{{#groups}}<a href="#{{anchor}}">{{name}}</a>{{/groups}}<a href="#schemas">schemas</a></nav>
        {{#groups}}
        <h2 id="{{anchor}}">{{name}}</h2>
        <p>{{{description}}}</p>
        {{#operations}}
        <h3 id="{{anchor}}"><b>{{method}} {{path}}</b>{{#scope}} <small>scope: {{.}}</small>{{/scope}}</h3>
        <p>{{summary}}.{{#description}} {{{.}}}{{/description}}</p>
        {{#hasParameters}}
        <table><tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>
        {{#parameters}}
        <tr><td><code>{{name}}</code>{{^required}} <span class="note">optional</span>{{/required}}</td><td>{{place}}</td>
        <td>{{{type}}}</td><td>{{{description}}}</td></tr>
        {{/parameters}}
        </table>
        {{/hasParameters}}
        {{#bodies}}<p>Body: {{{type}}} <span class="note">{{media}}</span></p>
        {{/bodies}}
        <table><tr><th>status</th><th></th><th>body</th><th>headers</th></tr>
        {{#answers}}
        <tr><td>{{status}}</td><td>{{{description}}}</td>
        <td>{{#bodies}}<p>{{{type}}}</p>{{/bodies}}</td><td class="note">{{headers}}</td></tr>
        {{/answers}}
        </table>
        {{/operations}}
        {{/groups}}
        <h2 id="schemas">schemas</h2>
        {{#schemas}}
        <h3 id="schema-{{name}}">{{name}}</h3>
        <p>{{{description}}}{{#alternatives}} {{{.}}}.{{/alternatives}}</p>
        {{#hasMembers}}
        <table><tr><th>member</th><th>type</th><th></th></tr>
        {{#members}}
        <tr><td><code>{{name}}</code>{{^required}} <span class="note">optional</span>{{/required}}</td>
        <td>{{{type}}}</td><td>{{{description}}}</td></tr>
        {{/members}}
        </table>
        {{/hasMembers}}
        {{/schemas}}
        </body>
        </html>
        """
}
