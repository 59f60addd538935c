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
from roclab.app.questions import QUESTIONS, Question, question_of
from roclab.app.questions.figures import offered as figures_offered
from roclab.app.questions.looking import examples
from roclab.app.refusals import refused, refused_file
from roclab.app.scans import Scans
from roclab.app.shelf import Item, RefusedFileError, Shelf
from roclab.errors import FileError, InputError, Words
from roclab.report.page import page_data

__all__ = ["workbench"]

_HERE = Path(__file__).parent
_REPORT = Path(roclab.__file__).parent / "report" / "static"
_ASKED_BYTES = 20_000_000  # of a question; pasted tables are the largest
_CHOICES = (
    "ESTIMATORS", "CRITERIA", "ADJUSTMENTS", "BENCH_CLASSIFIERS", "BENCH_SAMPLINGS", "BENCH_BALANCES", "BENCH_SETTINGS",
    "BANDS", "AVERAGES", "WALKS", "PAIRED_VARIANCES", "CLAIMS", "RANK_TESTS", "STANDARDS",
)  # fmt: skip

Handler = Callable[[Request], Awaitable[dict[str, Any]]]


def workbench(shelf: Shelf, *, first: str | None = None) -> Starlette:
    """The application; ``first`` is the file that the command named, read before anything is served."""
    jobs = Jobs()
    scans = Scans(shelf.folder)
    try:
        waiting = [] if first is None else [shelf.add_path(first)]
    except RefusedFileError as found:
        raise found.error from None
    # for the first page; others get a reading of their own

    async def start(request: Request) -> dict[str, Any]:
        choices = {name.lower(): list(getattr(names, name)) for name in _CHOICES if hasattr(names, name)}
        choices["figures"] = figures_offered()
        forms = {name: question.form.fields() for name, question in QUESTIONS.items() if question.form.groups}
        opened = None
        if first is not None:
            item = waiting.pop() if waiting else await run_in_threadpool(shelf.add_path, first)
            opened = _described(item)
        return {
            "version": roclab.__version__, "forms": forms, "examples": await run_in_threadpool(examples),
            "choices": choices, "opened": opened, "upload_limit": shelf.upload_limit,
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
        return await _opened(shelf, shelf.add_file, path, called)

    async def open_data(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        if isinstance(asked.get("text"), str):
            called = str(asked.get("called") or "pasted.tsv")
            return await _opened(shelf, shelf.add_text, asked["text"], called)
        if not isinstance(asked.get("path"), str):
            raise InputError("", "what to open must be a path, an example or a pasted table", Words("none of them"))
        return await _opened(shelf, shelf.add_path, asked["path"])

    async def read(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        item = shelf[str(asked.get("key"))]
        reading = _mapping(asked, "reading")
        try:
            await run_in_threadpool(item.read_anew, reading)
        except InputError as error:
            return refused_file(error, item.key, item.called, item.place, reading)
        return _described(item)

    async def close(request: Request) -> dict[str, Any]:
        shelf.forget(str((await _json(request)).get("key")))
        return {}

    async def ask(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        question = question_of(asked.get("question"))
        item, beside = (None if asked.get(one) is None else shelf[str(asked[one])] for one in ("key", "beside"))
        roles, options = _mapping(asked, "roles"), _mapping(asked, "options")
        elsewhere = item is not None and item.table().overview.elsewhere
        if question.takes_long(options) or elsewhere:
            request_ = {"question": asked["question"], "item": _place_of(item), "beside": _place_of(beside),
                        "roles": roles, "options": options}  # fmt: skip
            return jobs.start(request_, page=_page_of(request)).state_for_page()
        return await run_in_threadpool(
            _answered, question, asked["question"], Asked(item=item, roles=roles, options=options, beside=beside)
        )

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

    async def made(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        tables = jobs[str(asked.get("job"))].made
        if asked.get("which") not in tables:
            raise InputError("", "this work must have made the table", Words(repr(asked.get("which"))[:60]))
        return {"text": tables[asked["which"]]}

    async def item(request: Request) -> dict[str, Any]:
        found = shelf[str((await _json(request)).get("key"))]
        await run_in_threadpool(found.table)
        return _described(found)

    async def scan(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        series = _mapping(asked, "series") if asked.get("series") is not None else None
        return await run_in_threadpool(scans.open, str(asked.get("path") or ""), series)

    async def layer(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        made = jobs[str(asked.get("job"))].made
        if asked.get("which") not in made:
            raise InputError("", "this work must have made the layer", Words(repr(asked.get("which"))[:60]))
        return await run_in_threadpool(scans.add_layer, str(asked.get("scan")), made[str(asked["which"])])

    async def overlay(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        return await run_in_threadpool(scans.add_file, str(asked.get("scan")), str(asked.get("path") or ""))

    async def kinetic(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        at = asked.get("at")
        if not isinstance(at, list) or not all(isinstance(one, int) and not isinstance(one, bool) for one in at):
            raise InputError("", "a voxel has three whole numbers", Words(repr(at)[:40]))
        return {"curve": await run_in_threadpool(scans.curve, str(asked.get("scan")), at)}

    async def slice_(request: Request) -> Response:
        try:
            asked = await _json(request)
            key, plane, at = str(asked.get("scan")), str(asked.get("plane")), asked.get("at")
            if isinstance(at, bool) or not isinstance(at, int):
                raise InputError("", "a slice has a whole number", Words(repr(at)[:40]))
            if asked.get("labels") is not None:
                content = await run_in_threadpool(scans.labels, key, str(asked["labels"]), plane, at)
            elif asked.get("highest") is True:
                content = await run_in_threadpool(scans.highest, key, str(asked.get("image")), plane)
            else:
                content = await run_in_threadpool(scans.slice, key, str(asked.get("image")), plane, at)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:  # as every answer: one sentence
            return JSONResponse(refused(error), status_code=400)
        return Response(content, media_type="application/octet-stream")

    async def text(request: Request) -> dict[str, Any]:
        return {"text": await run_in_threadpool(shelf[str((await _json(request)).get("key"))].text)}

    async def keep(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        told = {"called": asked.get("called"), "answer": asked.get("answer"), "state": asked.get("state")}
        await run_in_threadpool(lambda: shelf.kept.keep(asked.get("tab"), _page_of(request), **told))
        return {}

    async def kept(request: Request) -> dict[str, Any]:
        asked = await _json(request)
        page = _page_of(request)
        jobs.hear(page)
        state, taken = shelf.kept.of(asked.get("tab"), page, again=asked.get("again") is True)
        return {"state": state, "taken": taken, "others": shelf.kept.others(asked.get("tab"))}

    async def drop(request: Request) -> dict[str, Any]:
        shelf.kept.forget((await _json(request)).get("tab"))
        return {}

    async def alive(request: Request) -> dict[str, Any]:
        page = _page_of(request)
        jobs.hear(page)
        return {"jobs": [one.line() for one in jobs.of(page)]}

    async def leave(request: Request) -> dict[str, Any]:
        page = _page_of(request)
        shelf.kept.left(page)
        await jobs.leave(page)
        return {}

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            jobs.attach(group)
            group.start_soon(run_in_threadpool, _warm_up)
            group.start_soon(jobs.watch)
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
            api("made", made, "POST"),
            api("item", item, "POST"),
            api("text", text, "POST"),
            api("scan", scan, "POST"),
            api("layer", layer, "POST"),
            api("overlay", overlay, "POST"),
            api("kinetic", kinetic, "POST"),
            Route("/api/slice", slice_, methods=["POST"]),
            api("keep", keep, "POST"),
            api("kept", kept, "POST"),
            api("drop", drop, "POST"),
            api("alive", alive, "POST"),
            api("leave", leave, "POST"),
            api("jobs/{key}", job, "GET", "DELETE"),
            Mount("/static", StaticFiles(directory=_HERE / "static")),
            Mount("/report", StaticFiles(directory=_REPORT)),
        ],
        lifespan=lifespan,
    )


def _answered(question: Question, name: str, asked: Asked) -> dict[str, Any]:
    """An answer; what depends on one table only is not asked of it twice."""
    if asked.item is None or asked.beside is not None:
        return question.run(asked)
    told = json.dumps([name, asked.roles, asked.options], sort_keys=True)
    return asked.item.kept_answer(told, lambda: question.run(asked))


def _warm_up() -> None:
    """Import what the first file and the first question need, while the user still looks for the file."""
    with contextlib.suppress(ImportError):  # text is read without it too
        importlib.import_module("pyarrow.compute")
        importlib.import_module("pyarrow.csv")
    table = {"y": [1, 0, 1, 0], "a": [4, 1, 3, 2], "b": [4, 3, 2, 1]}
    cases = roclab.read_cases(table, label="y", score=["a", "b"])
    page_data(roclab.build_report(cases, band=False, only=["curves", "areas", "comparison"]))
    examples()


def _answering(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """An answer as JSON; whatever goes wrong is one sentence, and the server stays up."""

    async def run(request: Request) -> Response:
        try:
            return JSONResponse(await handler(request))
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:  # a bug must not take the server with it
            return JSONResponse(refused(error))

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


def _place_of(item: Item | None) -> dict[str, Any] | None:
    """Where a worker finds a data set again."""
    if item is None:
        return None
    return {"key": item.key, "called": item.called, "place": item.place, "fingerprint": item.fingerprint,
            "reading": item.reading}  # fmt: skip


def _page_of(request: Request) -> str:
    """Which page asks; it chose the name when it was loaded."""
    return request.headers.get("x-roclab-page", "")[:64]


async def _opened(shelf: Shelf, add: Callable[..., Item], *given: Any) -> dict[str, Any]:
    """A table that was added, or what to choose where it was refused."""
    try:
        return _described(await run_in_threadpool(add, *given))
    except RefusedFileError as found:
        return _choices(shelf, found)


def _choices(shelf: Shelf, found: RefusedFileError) -> dict[str, Any]:
    """A file that was refused is kept while there is something to choose; else nothing of it stays."""
    item = found.item
    answer = refused_file(found.error, item.key, item.called, item.place, item.reading)
    if answer["refused"]["sheets"] or answer["refused"]["lines"]:
        shelf.take(item)
        return answer
    item.remove()
    raise found.error


def _described(item: Item) -> dict[str, Any]:
    seen = item.table().overview
    found: dict[str, Any] = plain(seen)
    return {**found, "key": item.key, "called": item.called, "fingerprint": item.fingerprint, "reading": item.reading,
            "path": None if item.own else item.place}  # fmt: skip
