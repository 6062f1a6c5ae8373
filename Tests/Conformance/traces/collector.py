"""Takes spans and metrics over OTLP/HTTP and prints each span and each metric as a line of JSON.

    collector.py [--status N] [--delay SECONDS] [--header NAME=VALUE]

It reads requests with the classes of opentelemetry-proto, and answers 400, with a line of its own, what is not as the
protocol has it. --status: answers that status instead of taking anything; --delay: waits before each answer;
--header: refuses requests without it.
"""

import argparse
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_service
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as service
from opentelemetry.proto.metrics.v1 import metrics_pb2 as metrics
from opentelemetry.proto.trace.v1 import trace_pb2 as trace

options = argparse.ArgumentParser()
options.add_argument("--status", type=int, default=200)
options.add_argument("--delay", type=float, default=0)
options.add_argument("--header")
options = options.parse_args()
printing = threading.Lock()


def say(**line):
    with printing:
        print(json.dumps(line), flush=True)


def attributes(pairs):
    values = {}
    for pair in pairs:
        kind = pair.value.WhichOneof("value")
        assert kind is not None, f"{pair.key} has no value"
        assert pair.key not in values, f"{pair.key} stands there twice"
        values[pair.key] = getattr(pair.value, kind)
    return values


def check(message):
    """No field that opentelemetry-proto does not know."""
    from google.protobuf.unknown_fields import UnknownFieldSet

    assert len(UnknownFieldSet(message)) == 0, f"unknown fields in {type(message).__name__}"
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                check(inner)


def show(span, resource, scope):
    assert len(span.trace_id) == 16 and any(span.trace_id), "a trace id has 16 bytes"
    assert len(span.span_id) == 8 and any(span.span_id), "a span id has 8 bytes"
    assert len(span.parent_span_id) in (0, 8)
    assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
    say(
        trace=span.trace_id.hex(),
        span=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        name=span.name,
        kind=trace.Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower(),
        start=span.start_time_unix_nano,
        microseconds=(span.end_time_unix_nano - span.start_time_unix_nano) // 1000,
        attributes=attributes(span.attributes),
        links=[{"trace": link.trace_id.hex(), "span": link.span_id.hex()} for link in span.links],
        dropped_links=span.dropped_links_count,
        error=span.status.code == trace.Status.STATUS_CODE_ERROR,
        remote_parent=span.flags & 0x200 != 0,
        resource=attributes(resource.attributes),
        scope=f"{scope.name} {scope.version}",
    )


def show_metric(metric, resource, scope):
    kind = metric.WhichOneof("data")
    data = getattr(metric, kind)
    assert metric.name and data.data_points, f"{metric.name} has no value"
    if kind != "gauge":
        assert data.aggregation_temporality == metrics.AGGREGATION_TEMPORALITY_CUMULATIVE, f"{metric.name} is no total"
    assert kind != "sum" or data.is_monotonic, f"{metric.name} can fall"
    seen = []
    for point in data.data_points:
        assert 0 < point.start_time_unix_nano <= point.time_unix_nano
        if kind == "histogram":
            assert len(point.bucket_counts) == len(point.explicit_bounds) + 1
            assert list(point.explicit_bounds) == sorted(set(point.explicit_bounds))
            assert sum(point.bucket_counts) == point.count
        else:
            assert point.WhichOneof("value") == "as_double"
        labels = attributes(point.attributes)
        assert labels not in seen, f"{metric.name} {labels} stands there twice"
        seen.append(labels)
    say(
        metric=metric.name,
        kind=kind,
        unit=metric.unit,
        description=metric.description,
        points=len(seen),
        resource=attributes(resource.attributes),
        scope=f"{scope.name} {scope.version}",
    )


class Collector(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(options.delay)
        if options.status != 200:
            return self.answer(options.status, b"")
        try:
            assert self.headers["Content-Type"] == "application/x-protobuf", self.headers["Content-Type"]
            if options.header:
                name, value = options.header.split("=", 1)
                assert self.headers[name] == value, f"{name} is {self.headers[name]}"
            answer = self.take(body)
        except Exception as error:
            say(problem=repr(error))
            return self.answer(400, b"")
        self.answer(200, answer.SerializeToString())

    def take(self, body):
        if self.path == "/v1/metrics":
            request = metrics_service.ExportMetricsServiceRequest.FromString(body)
            check(request)
            for resource in request.resource_metrics:
                for scope in resource.scope_metrics:
                    for metric in scope.metrics:
                        show_metric(metric, resource.resource, scope.scope)
            return metrics_service.ExportMetricsServiceResponse()
        assert self.path == "/v1/traces", self.path
        request = service.ExportTraceServiceRequest.FromString(body)
        check(request)
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    show(span, resource.resource, scope.scope)
        return service.ExportTraceServiceResponse()

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
server.daemon_threads = True
print(f"serving address=127.0.0.1:{server.server_address[1]}", file=sys.stderr, flush=True)
server.serve_forever()
