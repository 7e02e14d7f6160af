"""isocost explore: the report page served on this machine."""

from __future__ import annotations

from pathlib import Path

from isocost.cli import options
from isocost.cli.session import COSTS, WORDS, Session, asked, command
from isocost.data.files import TextForm, Upload
from isocost.data.rows import open_files
from isocost.errors import InputError
from isocost.explorer import explorer


@command("FILE DATA cluster group CONDITION QUESTION title unit resamples level seed port no-browser")
def explore(session: Session) -> None:
    """Serve the report of FILE, up to 100 MB, on this machine, and open it in the browser.

    On the page another file can be opened, columns and words chosen, second looks priced, the resampling changed and the report
    saved. The server listens on 127.0.0.1 only, its address holds a secret, nothing is written, and Ctrl-C ends it.

    \b
    Examples:
      isocost explore predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 0.02
      isocost explore predictions.csv --label y --cost-fn 5 --cost-review 0.3 --max-reviewed 10%
      isocost explore --no-browser --port 8000
    """
    view = None if session.given["file"] is None else _view(session)
    explorer.explore(explorer.Explorer(view, port=session.given["port"] or 0), browse=not session.given["no_browser"])


def _view(session: Session) -> explorer.View:
    given, (roles, form) = session.given, asked(session.given)
    with open_files(given["file"], form, WORDS) as files:
        if len(files) > 1:
            raise InputError(f"the explorer shows one file, and {given['file']!r} stands for {len(files)}")
        size, most = files[0].path.stat().st_size / 1e6, explorer.MOST_BYTES / 1e6
        if size > most:
            raise InputError(
                f"{files[0].name} has {size:.0f} MB, the explorer takes up to {most:.0f}: use `isocost report` for larger files"
            )
        upload = Upload(files[0].path.read_bytes(), Path(files[0].name).name)
    costs = {name: given[name] for name in COSTS if given[name] is not None}
    question = options.asked(given)
    settings = explorer.Settings(
        costs, given["title"], session.unit, given["resamples"], given["seed"], given["level"], question
    )
    # With --positive, what does not fit is an error at once; without it, the page asks.
    ask = roles.positive is None
    words, memory = explorer.WORDS if ask else WORDS, given["memory"] or explorer.MEMORY
    # The bytes are in UTF-8 by now, whatever the file was in.
    return explorer.view_of(upload, roles, settings, form=TextForm(form.decimal), words=words, memory=memory, ask=ask)
