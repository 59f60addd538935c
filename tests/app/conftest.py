"""A workbench that runs as users run it, asked over the wire and looked at in a real browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from urllib.parse import quote

import pytest

from tests.cli.conftest import shell

__all__ = ["shell"]


class Workbench:
    """A server of its own process."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "roclab", "app", "--no-browser", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"(http://127\.0\.0\.1:(\d+)/)#(\S+)", line)
        assert found is not None, line + self.process.stderr.read()
        self.address, self.port, self.token = found[1], int(found[2]), found[3]

    @property
    def page(self):
        return f"{self.address}#{self.token}"

    def send(self, path, body=None, *, method=None, headers=None):
        """Status, headers and text of an answer."""
        given = {"X-Roclab-Token": self.token} | (headers or {})
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method, headers=given)
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read().decode()

    def api(self, path, body=None, **more):
        return json.loads(self.send(f"api/{path}", body, **more)[2])

    def upload(self, name, content):
        return self.api("upload", content, headers={"X-Name": quote(name)})

    def ask(self, key, question, roles=None, **options):
        asked = {"question": question, "key": key, "roles": roles or {}, "options": options}
        return self.api("ask", asked)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=60)


@pytest.fixture(scope="session")
def workbench():
    server = Workbench()
    yield server
    server.close()


@pytest.fixture
def another():
    """A server for a test that ends it; called with arguments of the command."""
    made = []

    def start(*arguments):
        made.append(Workbench(*arguments))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def open_app(chromium, workbench):
    """A page of the workbench; at the end nothing may have failed, or been asked from outside."""
    opened, trouble = [], []

    def visit(server=workbench, *, width=1280, **options):
        context = chromium.new_context(viewport={"width": width, "height": 900}, **{"locale": "en-US"} | options)
        context.set_default_timeout(200_000)  # only ends what hangs
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        own = (server.address, "blob:", "data:")
        page.on("request", lambda request: request.url.startswith(own) or trouble.append(f"asked: {request.url}"))
        page.goto(server.page)
        page.wait_for_selector("html.live")
        return page

    visit.trouble = trouble
    yield visit
    for context in opened:
        context.close()
    assert trouble == []
