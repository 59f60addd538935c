"""``roclab app``: the workbench in a browser."""

from __future__ import annotations

import click

from roclab.cli.shared.command import Command, option


@click.command(cls=Command)
@click.argument("file", required=False)
@option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port (default: a free one).")
@option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@option("--upload-limit", type=float, default=2000.0, metavar="MB", help="Largest file that is dropped on the page.")
def app(file: str | None, port: int, no_browser: bool, upload_limit: float) -> None:
    r"""A page in the browser: from a file to a decision with the mouse.

    FILE is opened at once; "example" is the data set that comes with roclab. Only this user of this machine can ask,
    and nothing leaves it. Uploaded data are removed at the end.

    \b
    Examples:
      roclab app
      roclab app example
      roclab app scores.csv --no-browser --port 8123
    """
    from roclab.errors import MissingExtraError

    try:
        from roclab.app.server import serve
    except ImportError as error:
        if error.name not in ("starlette", "uvicorn", "anyio"):
            raise
        raise MissingExtraError(library="starlette and uvicorn", extra="app", purpose="roclab app") from None
    serve(file, port=port, browser=not no_browser, upload_limit=int(upload_limit * 1e6), say=click.echo)
