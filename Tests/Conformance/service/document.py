"""A service's own OpenAPI document, and what its answers lack of it."""

import re

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry
from referencing.jsonschema import DRAFT202012

BASE = "urn:document"


def escape(part):
    return part.replace("~", "~0").replace("/", "~1")


def media_type(response):
    """An answer's content type, without its parameters."""
    return response.headers.get("Content-Type", "").partition(";")[0].strip()


def is_json(response):
    return media_type(response) in ("application/json", "application/problem+json")


class Document:
    """An OpenAPI 3.1 document."""

    def __init__(self, root):
        self.root = root
        self.registry = Registry().with_resource(BASE, DRAFT202012.create_resource(root))

    def operations(self):
        """Every (method, path) there is."""
        return {(method, path) for path, methods in self.root["paths"].items() for method in methods}

    def find(self, path):
        """The path, of those in the document, that a request's path fits."""
        fits = [
            known
            for known in self.root["paths"]
            if re.fullmatch(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(known)), path)
        ]
        return min(fits, key=lambda known: known.count("{")) if fits else None

    def resolve(self, place, value):
        """What stands at a place, or where it refers to, with the place where it stands."""
        while "$ref" in value:
            place = value["$ref"][2:].split("/")
            value = self.root
            for part in place:
                value = value[part.replace("~1", "/").replace("~0", "~")]
        return place, value

    def problems(self, method, path, response):
        """What is wrong with an answer, in words."""
        operation = self.root["paths"][path][method]
        status = str(response.status_code)
        if status not in operation["responses"]:
            return [f"status {status} isn't in the document"]
        place, answer = self.resolve(
            ["paths", escape(path), method, "responses", status], operation["responses"][status]
        )
        return [*self.head_problems(answer, response), *self.body_problems(place, answer, response)]

    def head_problems(self, answer, response):
        for name, header in answer.get("headers", {}).items():
            _, header = self.resolve([], header)
            if name not in response.headers:
                if header.get("required"):
                    yield f"the header {name} is missing"
                continue
            value = response.headers[name]
            if header["schema"]["type"] == "integer":
                value = int(value) if value.isdigit() else value
            for error in Draft202012Validator(header["schema"]).iter_errors(value):
                yield f"the header {name}: {error.message}"

    def body_problems(self, place, answer, response):
        if "content" not in answer and not response.content:
            return
        media = media_type(response)
        if media not in answer.get("content", {}):
            yield f"the content type {media} isn't in the document"
        elif is_json(response):
            pointer = "/".join([*place, "content", escape(media), "schema"])
            validator = Draft202012Validator(
                {"$ref": f"{BASE}#/{pointer}"}, registry=self.registry, format_checker=FormatChecker()
            )
            for error in validator.iter_errors(response.json()):
                where = "/".join(str(part) for part in error.absolute_path)
                yield f"at /{where}: {error.message[:300]}"
            yield from self.unknown_members(place, answer["content"][media]["schema"], response.json())

    def unknown_members(self, place, schema, value, where=""):
        """Members of an answer that the document doesn't tell of."""
        _, schema = self.resolve(place, schema)
        if isinstance(value, list) and "items" in schema:
            for number, item in enumerate(value):
                yield from self.unknown_members(place, schema["items"], item, f"{where}/{number}")
        if not isinstance(value, dict):
            return
        parts = [self.resolve(place, part)[1] for part in [schema, *schema.get("allOf", [])]]
        known = {name: member for part in parts for name, member in part.get("properties", {}).items()}
        for name, member in value.items():
            if known and name not in known:
                yield f"{where}/{name} isn't in the document"
            elif known:
                yield from self.unknown_members(place, known[name], member, f"{where}/{name}")
