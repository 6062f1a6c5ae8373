"""Generates clients from docs/openapi.json, imports all of them, and buys coins with one of them; see run.sh."""

import importlib
import json
import os
import pathlib
import pkgutil
import subprocess
import sys
import tempfile

from losing import losing

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "docs/openapi.json"
EXAMPLE = ROOT / "Examples/python"


def run(*command, **options):
    """Runs a program to its end. Returns what it printed, and ends the check if it failed."""
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def build_package(folder):
    """Builds the example's package as pip does, whose client openapi-python-client generates without warnings."""
    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--no-compile",
        "--target", folder, EXAMPLE)
    sys.path.insert(0, str(folder))
    import ledgerd_client
    names = [module.name for module in pkgutil.walk_packages(ledgerd_client.__path__, "ledgerd_client.")]
    for name in names:
        importlib.import_module(name)
    print(f"openapi-python-client: {len(names)} modules")


def buy_coins(folder):
    """Buys, spends and reads the statement with the generated client, though each request has to be sent three times."""
    with losing(os.environ["LEDGERD_URL"]) as network:
        environment = {**os.environ, "PYTHONPATH": str(folder), "LEDGERD_URL": network.url}
        done = run(EXAMPLE / "buy_coins.py", env=environment)
    bought, spent, *entries = [line.split() for line in done.stdout.splitlines()]
    if (bought[0], spent[0], int(spent[1])) != ("bought", "spent", int(bought[1]) - 30):
        raise SystemExit(f"unexpected balances\n{done.stdout}")
    if entries != [["entry", "spend"], ["entry", "purchase"]]:
        raise SystemExit(f"unexpected statement\n{done.stdout}")
    if list(network.sent.values()) != [3] * 5:
        raise SystemExit(f"each request was to be sent three times: {network.sent}")


def send_once():
    """An order without a key is sent once, because a second time would be a second order; one with a key is sent again."""
    import httpx
    from ledgerd_retries import Retries
    sent = []

    def lose(request):
        sent.append(request)
        raise httpx.ReadError("lost")

    with httpx.Client(transport=Retries(httpx.MockTransport(lose), sleep=lambda pause: None)) as client:
        for headers, times in (({}, 1), ({"Idempotency-Key": "1"}, 5)):
            sent.clear()
            try:
                client.post("http://127.0.0.1/v1/orders", headers=headers, json={"product": "coins_100"})
            except httpx.ReadError:
                pass
            if len(sent) != times:
                raise SystemExit(f"an order with {headers} was sent {len(sent)} times")


def read_examples(folder):
    """Generates pydantic's classes without warnings, and reads each example of the document with its class."""
    done = run(
        "-m", "datamodel_code_generator", "--input", DOCUMENT, "--input-file-type", "openapi", "--formatters", "builtin",
        "--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.11", "--output", folder / "bodies.py")
    if done.stderr:
        raise SystemExit(f"datamodel-code-generator warns\n{done.stderr}")
    sys.path.insert(0, str(folder))
    bodies = importlib.import_module("bodies")
    count = 0
    for name, schema in json.loads(DOCUMENT.read_text())["components"]["schemas"].items():
        for example in schema.get("examples", []):
            read(bodies, name, example)
            count += 1
    if count < 100:
        raise SystemExit(f"only {count} examples were read")
    print(f"datamodel-code-generator: {count} examples read")


def read(bodies, name, example):
    """Reads it with the class of this name, or with its next one if an object inside another one took the name."""
    errors = []
    for known in (name, f"{name}1"):
        if hasattr(bodies, known):
            try:
                return getattr(bodies, known).model_validate(example)
            except ValueError as error:
                errors.append(error)
    raise SystemExit(f"{name} does not read its example: {errors}")


def main():
    with tempfile.TemporaryDirectory() as directory:
        package, models = pathlib.Path(directory) / "package", pathlib.Path(directory) / "models"
        models.mkdir()
        build_package(package)
        buy_coins(package)
        send_once()
        read_examples(models)


if __name__ == "__main__":
    main()
