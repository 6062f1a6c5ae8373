"""Mutants of sources that are built together: which one is tried, a file says when a program runs.

A mutant of a function's body becomes a second body: `if isMutant("name") { changed } else { as it is }`. A text that
stands in no body, such as SQL of a constant, can't be switched so: its mutant is built alone.
"""

import re

# What each target with mutants gets.
FUNCTION = '''import Foundation

private let tried = (try? String(contentsOfFile: "TRIED", encoding: .utf8)) ?? ""

func isMutant(_ name: String) -> Bool { tried == name }
'''

DECLARATION = re.compile(
    r"(?<![.\w`])(?:func\s+\S|init\s*[?!]?\s*[(<]|subscript\s*[(<])"  # and all that follows, but for a body
    r"|\bvar\s+\w+\s*:[^=\n]*$"  # a property that is computed
    r"|^\s*(?:get|set)\b[^(){}=\n]*$")


def blanked(text):
    """The text with spaces in the place of comments and literals, so that each brace in it is one of the syntax."""
    pattern = re.compile(
        r'//[^\n]*'
        r'|/\*.*?\*/'
        r'|(?P<raw>#+)(?:"""(?:.*?)"""|"(?:[^\n]*?)"|/(?:.*?)/)(?P=raw)'
        r'|"""(?:\\.|.)*?"""'
        r'|"(?:\\\((?:[^()\n"]|"[^"\n]*"|\((?:[^()\n]|\([^()\n]*\))*\))*\)|\\.|[^"\\\n])*"'
        r"|(?<=[(,=:\s])/(?![\s/*])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n])+/(?=[),.\s])", re.S)
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def bodies(text):
    """(start, end) of what is between the braces of each function, initialiser, accessor and computed property."""
    skeleton, found, open_braces, edge = blanked(text), [], [], 0
    for place, character in enumerate(skeleton):
        if character == "{":
            is_body = DECLARATION.search(skeleton[edge:place]) is not None
            open_braces.append((place, is_body))
        elif character == "}":
            if not open_braces:
                return []
            start, is_body = open_braces.pop()
            if is_body:
                found.append((start + 1, place))
        else:
            continue
        edge = place + 1
    return [] if open_braces else found


def body_of(text, start, end):
    """The innermost body around a part of a text; nil: there is none."""
    around = [body for body in bodies(text) if body[0] <= start and end <= body[1]]
    return min(around, key=lambda body: body[1] - body[0], default=None)


def switched(text, mutants):
    """The text with a switch for each mutant that can have one, and these mutants.

    A mutant has a name, and `mutated(text)`, the text with its change.
    """
    by_body = {}
    for mutant in mutants:
        before = "\n".join(mutant.before)
        if text.count(before) != 1:
            continue  # its attempt says so
        start = text.index(before)
        body = body_of(text, start, start + len(before))
        if body:
            by_body.setdefault(body, []).append(mutant)
    # A body within another one that is switched, too, would be in two texts: the outer one's mutants are built alone.
    inner = [body for body in by_body if not any(other != body and body[0] <= other[0] and other[1] <= body[1]
                                                 for other in by_body)]
    for start, end in sorted(inner, reverse=True):
        branches = ""
        for mutant in by_body[start, end]:
            changed = mutant.mutated(text)
            branches += f'if isMutant("{mutant.name}") {{{changed[start:len(changed) - len(text) + end]}}} else '
        text = f"{text[:start]} {branches}{{{text[start:end]}}} {text[end:]}"
    return text, [mutant for body in inner for mutant in by_body[body]]


def lines(text):
    """(name, first line, last line) of each switched body in a text."""
    found, starts = [], {}
    for body in bodies(text):
        names = re.findall(r'(?:^|\} else )\s*if isMutant\("([a-z0-9-]+)"\) \{', text[body[0]:body[1]])
        first, last = text.count("\n", 0, body[0]) + 1, text.count("\n", 0, body[1]) + 1
        found += [(name, first, last) for name in names]
    return found
