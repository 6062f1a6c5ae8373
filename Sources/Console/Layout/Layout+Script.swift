extension Layout {
    /// The console's script, for comfort only: every page works without it.
    ///
    /// - A button beside each `code.id` copies it.
    /// - The headings of a `table.sortable` sort it. A cell sorts by its `data-value`, its `time`, its number or its text;
    ///   a row of the class `total`, and the `tfoot`, stay where they are. Only complete tables are sortable.
    /// - A field above each `table.stacked` of more than 10 rows filters it. *Save as CSV*, which a sortable table has at
    ///   any length, saves the rows that are shown.
    ///
    /// Its words are the attributes of `main`, `scriptWords`.
    static let script = keys + forms + ids + tables

    /// The words of the script, as attributes of `main`.
    static let scriptWords = """
        data-copy="{{t.scriptCopy}}" data-copied="{{t.scriptCopied}}" data-filter="{{t.scriptFilter}}" \
        data-shown="{{t.scriptShown}}" data-csv="{{t.scriptCSV}}" data-ascending="{{t.scriptAscending}}" \
        data-descending="{{t.scriptDescending}}"
        """

    static let scriptTexts: [ConsoleText] = [
        .init("scriptCopy", "Copy", "복사"), .init("scriptCopied", "Copied", "복사했습니다"),
        .init("scriptFilter", "Filter these rows", "이 목록에서 찾기"), .init("scriptShown", "rows shown:", "표시된 행:"),
        .init("scriptCSV", "Save as CSV", "CSV 저장"), .init("scriptAscending", "Sorted, smallest first:", "오름차순 정렬:"),
        .init("scriptDescending", "Sorted, largest first:", "내림차순 정렬:"),
    ]

    private static let keys = #"""
        "use strict";
        document.addEventListener("keydown", event => {
            const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
            if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
            const field = document.getElementById("find");
            if (field) { event.preventDefault(); field.focus(); field.select(); }
        });

        """#

    private static let forms = #"""
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

        """#

    private static let ids = #"""
        const main = document.getElementById("content");
        const words = main ? main.dataset : {};
        const make = (name, attributes, ...children) => {
            const element = document.createElement(name);
            for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
            element.append(...children);
            return element;
        };
        // What happened, for people who do not see it.
        const status = make("p", { class: "hidden", role: "status" });
        if (main) main.append(status);
        const say = text => { status.textContent = text; };

        // Two sheets, one on the other, and a tick.
        const icons = { copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3", done: "M3 8.5l3.5 3.5L13 4.5" };
        const makeIcon = name => {
            const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
            const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
            icon.setAttribute("viewBox", "0 0 16 16");
            icon.setAttribute("aria-hidden", "true");
            path.setAttribute("d", icons[name]);
            icon.append(path);
            return icon;
        };
        const copyButton = code => {
            const id = code.textContent.trim();
            const button = make("button", { type: "button", class: "copy", "aria-label": `${words.copy} ${id}`, title: words.copy });
            button.append(makeIcon("copy"));
            button.addEventListener("click", async () => {
                try { await navigator.clipboard.writeText(id); } catch { return; }
                say(`${words.copied}: ${id}`);
                button.classList.add("done");
                button.replaceChildren(makeIcon("done"));
                setTimeout(() => {
                    button.classList.remove("done");
                    button.replaceChildren(makeIcon("copy"));
                }, 1500);
            });
            return button;
        };
        if (main && navigator.clipboard) {
            for (const code of main.querySelectorAll("code.id, h1 .id")) {
                const id = code.textContent.trim();
                if (!id) continue;
                // An id and its button stay together. In a link it would be a button in a link.
                const named = code.closest("a") ?? code;
                const pair = make("span", { class: id.length > 20 ? "pair long" : "pair" });
                named.replaceWith(pair);
                pair.append(named, copyButton(code));
            }
        }

        """#

    private static let tables = #"""
        const bodyRows = table => [...table.tBodies].flatMap(body => [...body.rows]);
        const isTotal = row => row.classList.contains("total");
        // The text of a cell as it is read, without its buttons.
        const cellText = cell => {
            const copy = cell.cloneNode(true);
            for (const part of copy.querySelectorAll("button:not(.sort), form, .button, .hidden")) part.remove();
            for (const line of copy.querySelectorAll("br")) line.replaceWith(" ");
            return copy.textContent.replace(/\s+/g, " ").trim();
        };
        const numberOf = text => {
            const digits = text.replace(/[₩$€¥,%\s]/g, "").replace("−", "-");
            return /^[+-]?\d+(\.\d+)?$/.test(digits) ? Number(digits) : NaN;
        };
        // `31 Jan 2026, 15:00:00 KST` as `2026-01-31…`, which sorts as it is.
        const months = "JanFebMarAprMayJunJulAugSepOctNovDec";
        const dated = text => text.replace(/^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/, (_, day, month, year) =>
            `${year}-${String(months.indexOf(month) / 3 + 1).padStart(2, "0")}-${day.padStart(2, "0")}`);
        const sortKey = cell => {
            if (!cell) return "";
            if (cell.dataset.value !== undefined) return cell.dataset.value;
            const time = cell.querySelector("time[datetime]");
            return time ? time.dateTime : dated(cellText(cell));
        };
        const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
        const compare = (one, other) => {
            const [first, second] = [numberOf(one), numberOf(other)];
            return Number.isNaN(first) || Number.isNaN(second) ? order.compare(one, other) : first - second;
        };

        const sort = (table, heading) => {
            const isDescending = heading.getAttribute("aria-sort") === "ascending";
            for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
            heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
            for (const body of table.tBodies) {
                const rows = [...body.rows].filter(row => !isTotal(row));
                const keys = new Map(rows.map(row => [row, sortKey(row.cells[heading.cellIndex])]));
                rows.sort((one, other) => {
                    const [first, second] = [keys.get(one), keys.get(other)];
                    // Empty ones are last in both orders.
                    if (first === "" || second === "") return (first === "") - (second === "");
                    return compare(first, second) * (isDescending ? -1 : 1);
                });
                body.append(...rows, ...[...body.rows].filter(isTotal));
            }
            say(`${isDescending ? words.descending : words.ascending} ${heading.textContent.trim()}`);
        };
        const makeSortable = table => {
            if (!table.tHead || table.tHead.rows.length !== 1 || bodyRows(table).length < 2) return;
            for (const heading of table.tHead.rows[0].cells) {
                if (!heading.textContent.trim() || heading.colSpan > 1) continue;
                const button = make("button", { type: "button", class: "sort" }, ...heading.childNodes);
                button.addEventListener("click", () => sort(table, heading));
                heading.append(button);
            }
        };

        // A field of CSV: an amount as a number, and no text that a spreadsheet takes for a formula.
        const csvField = cell => {
            const text = cellText(cell);
            const number = cell.classList.contains("number") ? numberOf(text) : NaN;
            if (!Number.isNaN(number)) return text.replace(/[₩$€¥,%\s]/g, "").replace("−", "-");
            return `"${(/^[=+\-@\t]/.test(text) ? "'" : "") + text.replaceAll('"', '""')}"`;
        };
        const csvOf = table => {
            const shown = [...table.rows].filter(row => !row.hidden);
            // With the mark that lets Excel read Korean.
            return "\uFEFF" + shown.map(row => [...row.cells].map(csvField).join(",") + "\r\n").join("");
        };
        const saveButton = table => {
            const button = make("button", { type: "button", class: "small" }, words.csv);
            button.addEventListener("click", () => {
                const address = URL.createObjectURL(new Blob([csvOf(table)], { type: "text/csv" }));
                const name = (document.querySelector("h1")?.textContent ?? "ledgerd").trim().replace(/[^\p{L}\p{N}]+/gu, "-");
                make("a", { href: address, download: `${name}.csv` }).click();
                setTimeout(() => URL.revokeObjectURL(address), 10000);
            });
            return button;
        };
        const filterField = table => {
            const field = make("input", { type: "search", "aria-label": words.filter, placeholder: words.filter, autocomplete: "off" });
            const rows = bodyRows(table);
            const texts = new Map(rows.map(row => [row, [...row.cells].map(cellText).join(" ").toLowerCase()]));
            field.addEventListener("input", () => {
                const parts = field.value.toLowerCase().split(/\s+/);
                for (const row of rows) row.hidden = !parts.every(part => texts.get(row).includes(part));
                say(`${words.shown} ${rows.filter(row => !row.hidden).length} / ${rows.length}`);
            });
            return field;
        };
        if (main) {
            for (const table of main.querySelectorAll("table.sortable")) makeSortable(table);
            for (const table of main.querySelectorAll("table.stacked")) {
                const isLong = bodyRows(table).length > 10;
                if (!table.tHead || !(isLong || table.matches(".sortable"))) continue;
                table.before(make("div", { class: "tools" }, ...(isLong ? [filterField(table)] : []), saveButton(table)));
            }
        }

        """#
}
