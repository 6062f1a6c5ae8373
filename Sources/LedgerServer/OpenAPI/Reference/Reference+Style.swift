extension Reference {
    /// The style of all pages.
    ///
    /// Colors have a contrast of 4.5:1 and more in both modes (WCAG 2.2, 1.4.3).
    static let style = """
        :root {
            color-scheme: light dark;
            --page: #fff; --text: #1c2127; --quiet: #57606a; --line: #d8dee4; --panel: #f6f8fa;
            --link: #0a58a8; --get: #0a58a8; --post: #1a6b3c; --name: #4a3aa7; --string: #1a6b3c; --literal: #9a3412;
            --mark: #fff4ce;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --page: #101418; --text: #dfe4ea; --quiet: #9da7b3; --line: #2b323b; --panel: #181d24;
                --link: #7fb8f5; --get: #7fb8f5; --post: #7ccf9b; --name: #b9aef5; --string: #8fd3a6;
                --literal: #f0b183; --mark: #3a3113;
            }
        }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
        body {
            margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 system-ui, sans-serif;
            display: grid; grid-template-columns: 17rem minmax(0, 1fr);
        }
        h1, h2, h3 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
        h1 { font-size: 2.25rem; letter-spacing: -.02em; margin: 0 0 1rem; }
        h2 { font-size: 1.5rem; letter-spacing: -.01em; margin: 0 0 .5rem; }
        h3 { font-size: 1.25rem; margin: 0 0 .5rem; }
        .columns h3 { font-size: .875rem; margin: 1.75rem 0 .5rem; }
        p { margin: 0 0 .75rem; max-width: 44rem; }
        a { color: var(--link); text-underline-offset: .15em; }
        a:focus-visible, pre:focus-visible, .scroll:focus-visible, input:focus-visible, button:focus-visible {
            outline: 3px solid var(--link); outline-offset: 2px; border-radius: .25rem;
        }
        code, pre, .method { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        code { font-size: .875em; overflow-wrap: anywhere; }
        td code { white-space: nowrap; }
        .lede { font-size: 1.25rem; color: var(--quiet); text-wrap: balance; }
        ul { list-style: none; margin: 0; padding: 0; }
        [hidden] { display: none !important; }
        .quiet { color: var(--quiet); }
        .skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--page); z-index: 1; }
        .skip:focus { left: 0; }

        .contents {
            position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem;
            border-right: 1px solid var(--line); background: var(--panel); font-size: .875rem;
        }
        .contents a { display: block; padding: .2rem .5rem; border-radius: .25rem; color: inherit; text-decoration: none; }
        .contents a:hover { background: var(--line); }
        .contents .home { font-size: 1.125rem; font-weight: 650; margin-bottom: 1rem; }
        .contents nav > ul > li > a { font-weight: 600; margin-top: .35rem; }
        .contents a[aria-current] { color: var(--link); }
        .contents ul ul a { color: var(--quiet); }

        #search label { display: block; padding-left: .5rem; font-weight: 600; }
        #search input {
            width: 100%; margin: .25rem 0; padding: .4rem .5rem; font: inherit; color: inherit; background: var(--page);
            border: 1px solid var(--quiet); border-radius: .375rem;
        }
        #status { min-height: 1.6em; margin: 0 0 .5rem; padding-left: .5rem; color: var(--quiet); overflow-wrap: anywhere; }
        #found { margin: .25rem 0 .5rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--page); }
        #found li + li { border-top: 1px solid var(--line); }
        #found a { padding: .4rem .5rem; }
        #found code { font-weight: 600; }
        #found .kind { color: var(--quiet); font-size: .8125rem; }

        main { padding: 3rem clamp(1.25rem, 3vw, 3.5rem) 6rem; max-width: 84rem; min-width: 0; }
        .part { margin-top: 4.5rem; padding-top: 2.5rem; border-top: 1px solid var(--line); }
        .entry { margin-top: 3rem; padding-top: 2.5rem; border-top: 1px solid var(--line); }
        .entry.brief { margin-top: 1.25rem; padding-top: 1.25rem; }
        .entry > .name { font: 600 1rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        .entry > h2 a, .entry > h3 a, .part > h2 a { color: inherit; text-decoration: none; }
        .entry > h2 a:hover, .entry > h3 a:hover, .part > h2 a:hover { text-decoration: underline; }
        :target { background: var(--mark); border-radius: .25rem; box-shadow: 0 0 0 .3rem var(--mark); }
        .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2.5rem; }

        .route { font-size: .9375rem; margin-bottom: 1rem; max-width: none; }
        .method { font-size: .8125em; font-weight: 700; letter-spacing: .03em; margin-right: .35em; color: var(--post); }
        .method.get { color: var(--get); }
        .index { margin: 1.25rem 0 0; padding: .75rem 1rem; background: var(--panel); border-radius: .5rem; }
        .index li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1rem; padding: .2rem 0; }
        .index a { text-decoration: none; }
        .index a:hover { text-decoration: underline; }

        .names { columns: 3 14rem; }
        .names li { break-inside: avoid; padding: .15rem 0; }
        .names a { text-decoration: none; }
        .names a:hover { text-decoration: underline; }

        .answers { margin: 0; font-size: .9375rem; display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); }
        .answers > dt { font-weight: 650; }
        .answers > dd { margin: 0; }
        .answers > dt, .answers > dd { padding: .55rem 0; border-top: 1px solid var(--line); }
        .answers li { margin-top: .35rem; }
        .copy {
            font: 600 .8125rem/1.4 system-ui, sans-serif; color: inherit; background: var(--page);
            padding: .2rem .6rem; border: 1px solid var(--quiet); border-radius: .375rem; cursor: pointer;
        }
        .copy:hover { background: var(--line); }
        figure { position: relative; }
        figure .copy { position: absolute; top: 0; right: 0; }
        figure:has(.copy) figcaption { padding: .2rem 6.5rem .35rem 0; }
        .route .copy { margin-left: .75rem; }

        .members li { padding: .7rem 0; border-top: 1px solid var(--line); font-size: .9375rem; }
        .members p { margin: .15rem 0 0; }
        .members .name { font-weight: 650; margin-right: .4rem; }
        .type { color: var(--quiet); font-size: .875rem; }
        .required { color: var(--literal); font-size: .8125rem; margin-left: .4rem; }

        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
        th, td { text-align: left; vertical-align: top; padding: .55rem .75rem .55rem 0; border-top: 1px solid var(--line); }
        thead th { border-top: 0; padding-top: 0; font-size: .8125rem; font-weight: 600; color: var(--quiet); }
        tbody th { font-weight: 650; white-space: nowrap; }

        figure { margin: 0 0 1.25rem; }
        figcaption { font-size: .8125rem; font-weight: 600; color: var(--quiet); margin-bottom: .35rem; }
        pre {
            margin: 0; padding: .875rem 1rem; overflow: auto; background: var(--panel); border: 1px solid var(--line);
            border-radius: .5rem; font-size: .8125rem; line-height: 1.55; tab-size: 4;
        }
        pre code { font-size: 1em; overflow-wrap: normal; }
        .n { color: var(--name); } .s { color: var(--string); } .l { color: var(--literal); }

        @media (max-width: 69.99rem) {
            .columns { grid-template-columns: minmax(0, 1fr); gap: 1.75rem; }
        }
        @media (min-width: 70rem) {
            .samples { position: sticky; top: 1.5rem; align-self: start; }
            .samples pre { max-height: 27rem; }
        }
        @media (max-width: 52rem) {
            body { display: block; }
            .contents {
                position: static; height: auto; padding: 1rem 1.25rem; border-right: 0;
                border-bottom: 1px solid var(--line);
            }
            .contents ul ul { display: none; }
            .contents .home { margin: 0 0 .25rem; padding-left: 0; }
            #search label, #status { padding-left: 0; }
            .contents nav > ul { display: flex; flex-wrap: wrap; gap: .4rem; }
            .contents nav > ul > li > a {
                margin: 0; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: 1rem;
                background: var(--page); font-weight: 500;
            }
            main { padding: 2rem 1.25rem 4rem; }
            h1 { font-size: 1.875rem; }
            .index li { grid-template-columns: minmax(0, 1fr); padding: .4rem 0; }
        }
        @media print {
            body { display: block; }
            .contents, .skip { display: none; }
            .samples { position: static; }
            pre { white-space: pre-wrap; }
        }
        """
}
