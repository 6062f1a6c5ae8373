extension Layout {
    /// The console's style sheet.
    ///
    /// Colors have a contrast of 4.5:1 and more in both modes (WCAG 2.2, 1.4.3), and what is clicked has 24 px and more
    /// (2.5.8).
    static let style = """
        :root {
            color-scheme: light dark;
            --page: #fff; --text: #1b2026; --quiet: #57606a; --line: #d5dbe1; --control: #818b95; --panel: #f5f7f9;
            --link: #0a58a8; --act: #0a58a8; --on-act: #fff; --good: #14632f; --bad: #a3201c; --wait: #7a4b00;
            --good-panel: #e6f4ea; --bad-panel: #fdeceb; --wait-panel: #fdf3dc;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --page: #101418; --text: #dfe4ea; --quiet: #a0aab5; --line: #2c343d; --control: #7c8894;
                --panel: #181d23; --link: #84bbf6; --act: #84bbf6; --on-act: #0b1520; --good: #82d39e; --bad: #f59b94;
                --wait: #ecc16c; --good-panel: #14271b; --bad-panel: #331917; --wait-panel: #302612;
            }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
        h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; text-wrap: balance; }
        h1 { font-size: 1.625rem; letter-spacing: -.01em; margin: 0 0 1.25rem; }
        h2 { font-size: 1.1875rem; margin: 2.25rem 0 .75rem; }
        h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
        p { margin: 0 0 .75rem; max-width: 44rem; overflow-wrap: anywhere; }
        a { color: var(--link); text-underline-offset: .15em; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .25rem; }
        main:focus { outline: none; }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--page); z-index: 1; }
        .skip:focus { left: 0; }
        .quiet { color: var(--quiet); }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        code { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }

        body > header {
            display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .625rem clamp(1rem, 3vw, 2.5rem);
            border-bottom: 1px solid var(--line); background: var(--panel);
        }
        .home { font-weight: 650; font-size: 1.125rem; color: inherit; text-decoration: none; padding: .25rem 0; }
        .find { display: flex; gap: .5rem; align-items: center; flex: 1 1 18rem; max-width: 32rem; margin: 0; }
        .find label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .find input { flex: 1; min-width: 0; }
        .account { position: relative; margin-left: auto; }
        .account summary { cursor: pointer; padding: .375rem 0; }
        .account form {
            position: absolute; right: 0; z-index: 1; display: grid; gap: .5rem; padding: .75rem; margin: 0; min-width: 14rem;
            background: var(--page); border: 1px solid var(--line); border-radius: .5rem;
        }
        .languages { margin: 0; }
        .languages a { display: inline-block; padding: .25rem 0; min-width: 1.5rem; }

        main { padding: 2rem clamp(1rem, 3vw, 2.5rem) 5rem; max-width: 96rem; margin: 0 auto; }
        .notice, .warning, .problem { padding: .75rem 1rem; border-radius: .5rem; }
        .notice { background: var(--good-panel); color: var(--good); }
        .warning { background: var(--wait-panel); color: var(--wait); }
        .problem { background: var(--bad-panel); color: var(--bad); }

        pre { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
        pre { margin: 0 0 .75rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--panel); }
        ul.choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .25rem 1rem; padding: 0; }
        ul.choices { list-style: none; margin: 0; }
        .choices label { font-weight: 400; display: flex; align-items: center; gap: .5rem; }

        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; }
        th, td { padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
        th { font-weight: 600; }
        thead th { font-size: .875rem; color: var(--quiet); white-space: nowrap; }
        th.number { text-align: right; }
        td { overflow-wrap: anywhere; }
        td time, th time { white-space: nowrap; }
        dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; margin: 0 0 1.5rem; }
        dl.facts dt { color: var(--quiet); font-size: .875rem; }
        dl.facts dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
        .status { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-size: .875rem; background: var(--panel); }
        .status.good { background: var(--good-panel); color: var(--good); }
        .status.bad { background: var(--bad-panel); color: var(--bad); }
        .status.wait { background: var(--wait-panel); color: var(--wait); }

        form.act { display: grid; gap: 1rem; max-width: 32rem; margin: 0 0 1.5rem; }
        form.line { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; margin: 0 0 1.5rem; }
        .field { display: grid; gap: .25rem; }
        .field small { color: var(--quiet); font-size: .875rem; }
        label { font-weight: 600; font-size: .9375rem; }
        input, select, textarea, button { font: inherit; color: inherit; min-height: 2.5rem; border-radius: .375rem; }
        input, select, textarea {
            padding: .4375rem .625rem; background: var(--page); border: 1px solid var(--control); max-width: 100%;
        }
        ::placeholder { color: var(--quiet); opacity: 1; }
        textarea { min-height: 5rem; resize: vertical; }
        input[type=checkbox] { min-height: 1.5rem; min-width: 1.5rem; }
        button, .button {
            padding: .4375rem .875rem; border: 1px solid var(--control); background: var(--page); cursor: pointer;
            font-weight: 600; text-decoration: none; border-radius: .375rem; display: inline-block; color: var(--text);
        }
        button:hover, .button:hover { border-color: var(--text); }
        button.first, .button.first { background: var(--act); border-color: var(--act); color: var(--on-act); }
        button[aria-busy=true] { cursor: progress; }
        td form { margin: 0; display: inline-block; }
        td form, td .button { vertical-align: top; margin-bottom: .25rem; }
        th .quiet { font-weight: 400; }
        td button, td .button { min-height: 2rem; padding: .125rem .625rem; font-size: .875rem; }
        details > summary { cursor: pointer; }
        fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem 1rem; margin: 0; display: grid; gap: 1rem; }
        legend { font-weight: 600; padding: 0 .25rem; }
        ul.line { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0 0 1rem; padding: 0; }
        ul.line a, a.pick { display: inline-block; min-height: 1.5rem; margin: 0 .25rem .25rem 0; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1.25rem; }
        .charts figure { margin: 0; min-width: 0; }
        .charts figcaption { color: var(--quiet); font-size: .875rem; margin: 0 0 .25rem; }
        .charts strong { color: var(--text); font-size: 1.125rem; font-variant-numeric: tabular-nums; }
        .charts svg { display: block; width: 100%; height: 8rem; fill: var(--act); border-bottom: 1px solid var(--line); }
        @media (max-width: 40rem) {
            .account { margin-left: 0; }
            .account form { right: auto; left: 0; }
            .find { flex-basis: 100%; order: 5; }
            table.stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
            table.stacked, table.stacked tbody, table.stacked tr, table.stacked td, table.stacked th { display: block; }
            table.stacked tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
            table.stacked td, table.stacked th { border: 0; padding: .125rem 0; text-align: left; }
        }
        @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
        """

    /// The console's script, for comfort only: every page works without it.
    static let script = """
        "use strict";
        document.addEventListener("keydown", event => {
            const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
            if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
            const field = document.getElementById("find");
            if (field) { event.preventDefault(); field.focus(); field.select(); }
        });
        // A form is sent once. The server also takes one that is sent twice as one.
        document.addEventListener("submit", event => {
            if (event.target.method !== "post") return;
            if (event.target.dataset.sent) { event.preventDefault(); return; }
            event.target.dataset.sent = "yes";
            if (event.submitter) event.submitter.setAttribute("aria-busy", "true");
        });
        // A page that the browser kept can send its forms again.
        window.addEventListener("pageshow", event => {
            if (!event.persisted) return;
            for (const form of document.forms) delete form.dataset.sent;
            for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
        });

        """

    /// The icon in the browser's tab: two columns of a ledger.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a58a8"/>\
        <path d="M16 7v18M8 12h5M8 17h5M19 12h5M19 17h5M19 22h5" stroke="#fff" stroke-width="2.5" \
        stroke-linecap="round"/></svg>
        """
}
