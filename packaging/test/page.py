#!/usr/bin/python3
"""Writes each fenced code block of a page that names its language into a file of its own, so that a test can run it.

usage: page.py PAGE DIRECTORY, which gets NN.LANGUAGE for the block NN of the page
"""

import pathlib
import re
import sys


def blocks(text):
    """The language and the text of each block. A block of a list is indented, and loses the indentation."""
    for match in re.finditer(r"^( *)```(\w+)\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL):
        indent, language, body = match.groups()
        yield language, re.sub(f"^{indent}", "", body, flags=re.MULTILINE)


def main():
    page, directory = map(pathlib.Path, sys.argv[1:])
    directory.mkdir(parents=True)
    for number, (language, body) in enumerate(blocks(page.read_text()), 1):
        (directory / f"{number:02}.{language}").write_text(body)


if __name__ == "__main__":
    main()
