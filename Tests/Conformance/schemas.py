"""The OpenAPI documents, as JSON Schema that answers can be held against."""

import copy
import json
import pathlib

from jsonschema import Draft7Validator, FormatChecker

FOLDER = pathlib.Path(__file__).parent / "openapi"


NULL_UNSAID = [("PaymentCancelAnnotation", "receipt_url"), ("PaymentPrepareAnnotation", "currency")]


def as_json_schema(node, within_all_of=False):
    """Says nullability in JSON Schema's way, and forbids members that the document doesn't know."""
    if isinstance(node, list):
        return [as_json_schema(item, within_all_of) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {
        key: as_json_schema(value, within_all_of=key == "allOf")
        for key, value in node.items()
        if key not in ("discriminator", "example")
    }
    if schema.pop("nullable", False) is True or schema.pop("x-nullable", False) is True:
        if "enum" in schema:
            schema["enum"] = schema["enum"] + [None]
        if isinstance(schema.get("type"), str):
            schema["type"] = [schema["type"], "null"]
    if isinstance(schema.get("properties"), dict) and "type" in schema and not within_all_of:
        schema.setdefault("additionalProperties", False)
    return schema


class Document:
    """One API's document."""

    def __init__(self, name):
        self.root = json.loads((FOLDER / name).read_text())
        self.shared = copy.deepcopy(self.root)
        for key in ("paths", "info", "tags", "servers"):
            self.shared.pop(key, None)
        self.shared = as_json_schema(self.shared)
        definitions = self.shared.get("definitions", {})
        # The envelope is one half of an allOf; the other half adds to it.
        definitions.get("ResponseAnnotation", {}).pop("additionalProperties", None)
        # Null on the wire, though the document doesn't say so.
        for name, member in NULL_UNSAID:
            if name in definitions:
                definitions[name]["properties"][member]["type"] = ["string", "null"]

    def response_schema(self, method, path, status):
        """The schema of an answer; None when the document has none."""
        responses = self.root["paths"][path][method.lower()]["responses"]
        response = responses[str(status)]
        if "schema" in response:
            return response["schema"]
        content = response.get("content", {}).get("application/json")
        return content and content["schema"]

    def problems(self, method, path, status, body):
        """What is wrong with an answer, in words."""
        if str(status) not in self.root["paths"][path][method.lower()]["responses"]:
            return [f"status {status} isn't in the document"]
        schema = self.response_schema(method, path, status)
        if schema is None:
            return []
        validator = Draft7Validator({**self.shared, **as_json_schema(schema)}, format_checker=FormatChecker())
        # "$ref" hides its siblings in Draft 7, so that it stands in an allOf of its own.
        if "$ref" in schema:
            validator = Draft7Validator({**self.shared, "allOf": [schema]}, format_checker=FormatChecker())
        problems = []
        for error in validator.iter_errors(body):
            where = "/".join(str(part) for part in error.absolute_path)
            deepest = min(error.context or [error], key=lambda inner: len(inner.message))
            problems.append(f"at /{where}: {error.message[:200]} ({deepest.message[:200]})")
        return problems


V1 = Document("portone-v1.openapi.json")
V2 = Document("portone-v2.openapi.json")
