"""Calls the tools of a running service with the protocol's own client, over HTTP and through `ledgerd mcp`; see run.sh."""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import httpx2
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["LEDGERD_URL"]
REVISION = "2025-06-18"
# Arguments that each tool takes, and the look-up that says the same. None: a person's act would be needed first.
CALLS = {
    "searchCustomers": ({"name": "demo-user"}, "/v1/search?name=demo-user"),
    "getUserBalance": ({"user": "demo-user"}, "/v1/users/demo-user/balance"),
    "listUserPurchases": ({"user": "demo-user", "limit": 1}, "/v1/users/demo-user/purchases?limit=1"),
    "findPurchases": ({"merchant_uid": "no-such-order"}, "/v1/purchases?merchant_uid=no-such-order"),
    "getPurchase": None,
    "listUserStatement": ({"user": "demo-user", "kind": "purchase"}, "/v1/users/demo-user/statement?kind=purchase"),
    "listUserTimeline": ({"user": "demo-user"}, "/v1/users/demo-user/timeline"),
    "listUserReceipts": ({"user": "demo-user"}, "/v1/users/demo-user/receipts"),
    "listFindings": ({"status": "open"}, "/v1/findings?status=open"),
    "getFinding": None,
    "listReconciliations": ({}, "/v1/reconciliations"),
    "getReconciliation": None,
    "listReconciliationItems": None,
    "getOpenItems": ({}, "/v1/open-items"),
    "listPeriods": ({"limit": 5}, "/v1/periods?limit=5"),
    "getClosingChecklist": ({"until": "2020-01-01"}, "/v1/periods/checklist?until=2020-01-01"),
    "examineBooks": ({"limit": 1}, None),
}


class Wrong(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Wrong(what)


def token(scope):
    """A token of a person of the shop."""
    made = subprocess.run(
        [os.environ["LEDGERD_BINARY"], "token", "--sub", "kim", "--scope", scope], capture_output=True, text=True,
        check=True)
    return made.stdout.strip()


def look_up(path, bearer):
    answer = httpx2.get(URL + path, headers={"Authorization": f"Bearer {bearer}"}, timeout=60)
    answer.raise_for_status()
    return answer.json()


async def check_tools(client, bearer):
    """Each tool is described, and answers what the API answers. The client holds each result against its schema, too."""
    expect(client.protocol_version == REVISION, f"the revision is {client.protocol_version}")
    await client.send_ping()
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    expect(set(tools) == set(CALLS), f"other tools than here: {set(tools) ^ set(CALLS)}")
    for tool in tools.values():
        for schema in (tool.input_schema, tool.output_schema):
            Draft202012Validator.check_schema(schema)
        expect(tool.description and tool.annotations.read_only_hint is True, f"{tool.name} is not described as read-only")
    for name, call in CALLS.items():
        if call is None:
            result = await client.call_tool(name, {"id": 999_999_999})
            expect(result.is_error and "not_found" in result.content[0].text, f"{name}: {result}")
            continue
        arguments, path = call
        Draft202012Validator(tools[name].input_schema).validate(arguments)
        result = await client.call_tool(name, arguments)
        expect(not result.is_error and json.loads(result.content[0].text) == result.structured_content, f"{name}: {result}")
        if path:
            expect(result.structured_content == look_up(path, bearer), f"{name} differs from {path}")
    expect((await client.call_tool("examineBooks", {})).structured_content["sound"] is True, "the books are not sound")


async def check_refusals(client):
    for arguments in ({}, {"user": ""}, {"user": "demo-user", "at": "soon"}, {"user": "demo-user", "coins": 1}):
        result = await client.call_tool("getUserBalance", arguments)
        expect(result.is_error and "invalid_request" in result.content[0].text, f"{arguments}: {result}")
    try:
        await client.call_tool("spend", {"user": "demo-user", "coins": 1})
    except MCPError as error:
        expect(error.code == -32602 and "unknown" in error.message, f"{error}")
    else:
        raise Wrong("a tool that writes was called")


async def check_http(mode, bearer):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {bearer}"}, timeout=60) as http:
        async with Client(streamable_http_client(URL + "/mcp", http_client=http), mode=mode) as client:
            await check_tools(client, bearer)
            await check_refusals(client)


async def check_command(mode, bearer):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "token"
        file.touch(mode=0o600)
        file.write_text(bearer)
        command = StdioServerParameters(
            command=os.environ["LEDGERD_BINARY"], args=["mcp", "--url", URL, "--token-file", str(file)])
        async with Client(command, mode=mode) as client:
            await check_tools(client, bearer)
            await check_refusals(client)
            file.write_text(token("support"))
            listed = {tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools}
            expect("getUserBalance" in listed and "listFindings" not in listed, f"support has the tools {listed}")


def causes(error):
    """What went wrong: the client's tasks end in groups of errors."""
    if isinstance(error, ExceptionGroup):
        return [cause for each in error.exceptions for cause in causes(each)]
    return [f"{type(error).__name__}: {error}"]


async def main():
    bearer = token("support finance:read")
    outcome = 0
    # `auto` asks for the latest revision first, and begins as `legacy` does when it is refused.
    for check in (check_http, check_command):
        for mode in ("legacy", "auto"):
            try:
                await check(mode, bearer)
                print(f"{check.__name__}, {mode}: {len(CALLS)} tools as the API says")
            except Exception as error:
                print(f"{check.__name__}, {mode}: {'; '.join(causes(error))}")
                outcome = 1
    return outcome


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
