"""What the server answers: the page and its scripts, data sets, questions, and work in progress."""

from __future__ import annotations

import contextlib
import importlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import roclab
from roclab import names
from roclab._core.plain import plain
from roclab.app.asking import Asked
from roclab.app.jobs import Jobs
from roclab.app.questions import QUESTIONS, question_of
from roclab.app.shelf import Item, Shelf
from roclab.app.wording import in_page
from roclab.errors import FileError, InputError, RoclabError, Words
from roclab.report.page import page_data

__all__ = ["workbench"]

_HERE = Path(__file__).parent
_REPORT = Path(roclab.__file__).parent / "report" / "static"
_ASKED_BYTES = 20_000_000  # of a question; pasted tables are the largest
_EXAMPLES = ("example", "wines", "readings")
_CHOICES = (
    "ESTIMATORS", "CRITERIA", "ADJUSTMENTS", "BENCH_CLASSIFIERS", "BENCH_SAMPLINGS", "BENCH_BALANCES", "BENCH_SETTINGS",
    "BANDS", "AVERAGES", "WALKS", "PAIRED_VARIANCES", "CLAIMS", "RANK_TESTS", "STANDARDS",
)  # fmt: skip

Handler = Callable[[Request], Awaitable[dict[str, Any]]]


def workbench(shelf: Shelf, *, first: str | None = None) -> Starlette:
    """The application; ``first`` is the file that the command named, read before anything is served."""
    jobs = Jobs()
    waiting = [] if first is None else [shelf.add_path(first)]  # for the first page; others get a reading of their own

    async def start(request: Request) -> dict[str, Any]:
        choices = {name.lower(): list(getattr(names, name)) for name in _CHOICES if hasattr(names, name)}
        forms = {name: question.form.fields() for name, question in QUESTIONS.items() if question.form.groups}
        opened = None
        if first is not None:
            item = waiting.pop() if waiting else await run_in_threadpool(shelf.add_path, first)
            opened = _described(item)
        return {
            "version": roclab.__version__, "forms": forms, "examples": list(_EXAMPLES), "choices": choices,
            "opened": opened, "upload_limit": shelf.upload_limit,
        }  # fmt: skip

    async def upload(request: Request) -> dict[str, Any]:
        called = unquote(request.headers.get("x-name", "upload.csv"))[:200]
        path = shelf.new_file(called)
        size = 0
        try:
            async with await anyio.open_file(path, "wb") as out:
                async for piece in request.stream():
                    size += len(piece)
                    if size > shelf.upload_limit:
                        raise FileError(
                            "", f"a file may have at most {shelf.upload_limit:,} bytes here", Words("a larger one"),
                            "open it by its path instead, which copies nothing",
                        )  # fmt: skip
                    await out.write(piece)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return _described(await run_in_threadpool(shelf.add_file, path, called))

    async def open_data(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        if isinstance(asked.get("text"), str):
            called = str(asked.get("called") or "pasted.tsv")
            return _described(await run_in_threadpool(shelf.add_text, asked["text"], called))
        if not isinstance(asked.get("path"), str):
            raise InputError("", "what to open must be a path, an example or a pasted table", Words("none of them"))
        return _described(await run_in_threadpool(shelf.add_path, asked["path"]))

    async def read(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        item = shelf[str(asked.get("key"))]
        await run_in_threadpool(item.read_anew, _mapping(asked, "reading"))
        return _described(item)

    async def close(request: Request) -> dict[str, Any]:
        shelf.forget(str((await _json(request)).get("key")))
        return {}

    async def ask(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        question = question_of(asked.get("question"))
        item = None if asked.get("key") is None else shelf[str(asked["key"])]
        roles, options = _mapping(asked, "roles"), _mapping(asked, "options")
        elsewhere = item is not None and item.table().overview.elsewhere
        if question.takes_long(options) or elsewhere:
            place = None if item is None else {
                "key": item.key, "called": item.called, "place": item.place, "fingerprint": item.fingerprint,
                "reading": item.reading,
            }  # fmt: skip
            request_ = {"question": asked["question"], "item": place, "roles": roles, "options": options}
            return jobs.start(request_).state_for_page()
        return await run_in_threadpool(question.run, Asked(item=item, roles=roles, options=options))

    async def job(request: Request) -> dict[str, Any]:
        key = request.path_params["key"]
        return (await jobs.stop(key) if request.method == "DELETE" else jobs[key]).state_for_page()

    async def adopt(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        made = jobs[str(asked.get("job"))].made
        if asked.get("which") not in made:
            raise InputError("", "this work must have made the table", Words(repr(asked.get("which"))[:60]))
        called = str(asked.get("called") or f"{asked['which']}.csv")
        return _described(await run_in_threadpool(shelf.add_text, made[asked["which"]], called))

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            jobs.attach(group)
            group.start_soon(run_in_threadpool, _warm_up)
            yield
            group.cancel_scope.cancel()

    def api(path: str, handler: Handler, *methods: str) -> Route:
        return Route(f"/api/{path}", _answering(handler), methods=[*methods])

    async def page(_: Request) -> Response:
        return FileResponse(_HERE / "static" / "index.html")

    return Starlette(
        routes=[
            Route("/", page),
            api("start", start, "GET"),
            api("upload", upload, "POST"),
            api("open", open_data, "POST"),
            api("read", read, "POST"),
            api("close", close, "POST"),
            api("ask", ask, "POST"),
            api("adopt", adopt, "POST"),
            api("jobs/{key}", job, "GET", "DELETE"),
            Mount("/static", StaticFiles(directory=_HERE / "static")),
            Mount("/report", StaticFiles(directory=_REPORT)),
        ],
        lifespan=lifespan,
    )


def _warm_up() -> None:
    """Import what the first file and the first question need, while the user still looks for the file."""
    with contextlib.suppress(ImportError):  # text is read without it too
        importlib.import_module("pyarrow.compute")
        importlib.import_module("pyarrow.csv")
    table = {"y": [1, 0, 1, 0], "a": [4, 1, 3, 2], "b": [4, 3, 2, 1]}
    cases = roclab.read_cases(table, label="y", score=["a", "b"])
    page_data(roclab.build_report(cases, band=False, only=["curves", "areas", "comparison"]))


def _answering(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """An answer as JSON; whatever goes wrong is one sentence, and the server stays up."""

    async def run(request: Request) -> Response:
        try:
            return JSONResponse(await handler(request))
        except RoclabError as error:
            return JSONResponse({"error": in_page(error)})
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:  # a bug must not take the server with it
            return JSONResponse({"error": in_page(error)})

    return run


async def _json(request: Request) -> dict[str, Any]:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _ASKED_BYTES:
            raise FileError(
                "", f"a question may have at most {_ASKED_BYTES:,} bytes", Words("a longer one"),
                "save what you paste as a file and open that",
            )  # fmt: skip
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise InputError("", "a question must be JSON", Words("something else")) from None
    if not isinstance(found, dict):
        raise InputError("", "a question must be a JSON object", Words(type(found).__name__))
    return found


def _mapping(asked: dict[str, Any], name: str) -> dict[str, Any]:
    """A part of a question that has names in it."""
    found = asked.get(name) or {}
    if not isinstance(found, dict):
        raise InputError("", f"the {name} of a question must be a JSON object", Words(type(found).__name__))
    return found


def _described(item: Item) -> dict[str, Any]:
    seen = item.table().overview
    found: dict[str, Any] = plain(seen)
    return {**found, "key": item.key, "called": item.called, "fingerprint": item.fingerprint, "reading": item.reading,
            "path": None if item.own else item.place}  # fmt: skip
