"""Runs the programs of docs/clients.md: purchases and spends over a network that loses responses, and webhooks; see run.sh."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from losing import losing, overloaded
from webhooks import TESTERS, Vector

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/clients.md"
# Older versions of node read no types. These are the ones that the page has.
TYPES = re.compile(r"\??: (string|number|boolean|object|any|Buffer|Response|Promise<\w+>|Record<string, \w+>)(?=[;,) ={\n])")


class Wrong(Exception):
    pass


class Language:
    """One language of the page: its two programs, and what runs them."""

    def __init__(self, name, text):
        self.name = name
        self.purchase, self.webhooks = re.findall(rf"^```{name}\n(.*?)^```$", text, re.M | re.S)
        if name == "typescript":
            self.purchase, self.webhooks = (without_types(code) for code in (self.purchase, self.webhooks))
        self.file, self.program = {
            "python": ("coins.py", sys.executable), "typescript": ("coins.mjs", shutil.which("node")),
            "java": ("Coins.java", shutil.which("java"))}[name]

    def run(self, name, code, environment=os.environ):
        """Runs code to its end. Returns the lines that it printed."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.write_text(code)
            done = subprocess.run([self.program, file], env=environment, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise Wrong(f"{self.name}: {name} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout.splitlines()


def without_types(code):
    return TYPES.sub("", code).replace("!;", ";")


def available():
    """What demo-user can spend."""
    request = urllib.request.Request(
        os.environ["LEDGERD_URL"] + "/v1/users/demo-user/balance",
        headers={"Authorization": "Bearer " + os.environ["SERVICE_TOKEN"]})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["available"]


def check_purchase(language):
    """100 coins are bought once and 30 spent once, though each request had to be sent three times."""
    before = available()
    with losing(os.environ["LEDGERD_URL"]) as network:
        printed = language.run(language.file, language.purchase, {**os.environ, "LEDGERD_URL": network.url})
    expected = [f"bought {before + 100}", f"spent {before + 70}"]
    if printed != expected or available() != before + 70:
        raise Wrong(f"{language.name}: {expected} was expected, not {printed}, and then {available()}")
    if list(network.sent.values()) != [3, 3, 3, 3]:
        raise Wrong(f"{language.name}: each request was to be sent three times: {network.sent}")


def check_unknown(language):
    """An order that may have been made is not called refused: a new key would make a second one."""
    with overloaded() as network:
        try:
            printed = language.run(language.file, language.purchase, {**os.environ, "LEDGERD_URL": network.url})
        except Wrong as error:
            if "503" not in str(error) or "Refused" in str(error):
                raise
        else:
            raise Wrong(f"{language.name}: an error was expected, not {printed}")


def check_webhooks(language, vector):
    """The page's webhook is genuine, and no altered one."""
    cases = vector.cases()
    printed = [line.lower() == "true" for line in language.run(*TESTERS[language.name](language.webhooks, cases))]
    if printed != [case.is_genuine for case in cases]:
        wrong = [case for case, answer in zip(cases, printed) if answer != case.is_genuine]
        raise Wrong(f"{language.name}: wrong about {wrong} of {len(cases)}, {len(printed)} answers")


def main():
    text = PAGE.read_text()
    for language in (Language(name, text) for name in TESTERS):
        if language.program is None:
            print(f"{language.name}: left out, because nothing runs it here")
            continue
        check_webhooks(language, Vector(text))
        check_purchase(language)
        check_unknown(language)
        print(f"{language.name}: as the page says")


if __name__ == "__main__":
    main()
