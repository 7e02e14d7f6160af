import http.client
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from html import unescape
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from isocost.data.files import Upload
from isocost.data.tables import Roles
from isocost.explorer.explorer import Explorer, Settings, view_of

Y = np.arange(40) % 2
A = Y + np.arange(40) % 7 / 5


@pytest.fixture(scope="module")
def explorer():
    """One explorer that all uploads are tried on: none may spoil it for the next."""
    running = Explorer()
    thread = threading.Thread(target=running.serve, daemon=True)
    thread.start()
    yield running
    running.close()
    thread.join(timeout=10)


def ask(explorer, method, place, body=None):
    """Send one request; return the status and the text."""
    line = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=60)
    try:
        line.request(method, f"/{explorer.token}/{place}", body)
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    finally:
        line.close()


def parquet(**columns):
    """The bytes of a Parquet file."""
    store = io.BytesIO()
    pq.write_table(pa.table(columns), store)
    return store.getvalue()


def csv(*more, header="y,a"):
    """The bytes of a table of a label, a score and more columns of one value each."""
    rows = (",".join(map(str, (y, a, *more))) for y, a in zip(Y, A, strict=True))
    return "\n".join([header, *rows, ""]).encode()


# What is uploaded, and what the page or the refusal must say.
HOSTILE = {
    "long cell": (csv('"' + "q" * 130_000 + '"', header="y,a,note"), "model: a; left out: note (text)"),
    "longer cell": (csv(header="y,a,t").replace(b"\n", b",x\n").replace(b"t,x", b"t") + b"1,1," + b"q" * 3_000_000, "line 42"),
    "null labels": (parquet(y=pa.array([1, 0, None] * 9), a=np.arange(27) / 8), "9 of 27 rows, the first is row 3"),
    "only null labels": (parquet(y=pa.nulls(20), a=np.arange(20) / 8), "label 'y' is missing in 20 of 20 rows"),
    "nested columns": (parquet(y=Y, a=A, s=[{"u": 1}] * 40, l=[[1, 2]] * 40), "left out: s (a nested value), l (a nested value)"),
    "nested label": (parquet(y=[[1]] * 40, a=A), "column 'y' of nested label holds nested values"),
    "no columns": (parquet(), "no columns has no columns"),
    "no rows": (parquet(y=pa.array([], pa.int8()), a=pa.array([], pa.float64())), "no rows holds no rows, only column names"),
    "only nested": (parquet(s=[{"u": 1}] * 40), "has no column label, y_true, y or target"),
    "binary label": (parquet(y=[b"\xff", b"\x00"] * 20, a=A), "say which to detect"),
    "dates for labels": (parquet(y=pa.array(list(Y), pa.date32()), a=A), "say which to detect"),
    "ten thousand columns": (csv(*[0.5] * 10_000, header="y,a," + ",".join(f"x{i}" for i in range(10_000))), "10,001 numeric columns"),
    "deep json": (b"[" * 100_000, "deep json"),
    "json of one value": (b'{"y": 1}', "json of one value"),
    "json array of numbers": (b"[1, 2, 3]", "json array of numbers"),
    "nothing but delimiters": (b",,,,\n,,,,\n", "columns called ''"),
    "one byte": (b"x", "has a single column"),
    "a huge header": (b"y," + b"a" * 2_000_000 + b"\n1,2\n", "first line of more than"),
    "zip": (b"PK\x03\x04" + b"\x00" * 100, "damaged ZIP archive or Excel workbook"),
    "gzip of nothing": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00" + b"\x00" * 8, "is empty"),
    "half a gzip": (b"\x1f\x8b\x08", "damaged or truncated gzip"),
    "half a zstd": (b"\x28\xb5\x2f\xfd\x00", "damaged or truncated zstd"),
    "arrow": (b"ARROW1\x00\x00rubbish", "damaged Arrow file"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_an_upload_is_shown_or_refused_in_a_sentence(name, explorer):
    """The page stays usable, and what was shown before stays if the file cannot be read."""
    body, message = HOSTILE[name]
    before = explorer.view
    status, text = ask(explorer, "POST", f"open?name={quote(name)}", body)
    page_status, page = ask(explorer, "GET", "")
    assert page_status == 200
    if status == 200:
        assert message in unescape(page)
    else:
        assert status == 400
        notice = json.loads(text)["error"]
        assert message in notice
        assert "\n" not in notice
        assert len(notice) < 600
        assert explorer.view is before
    assert ask(explorer, "POST", "open?name=good.csv", csv())[0] == 200
    assert ask(explorer, "GET", "report.json")[0] == 200


def test_a_title_with_half_a_character_is_refused(explorer):
    """It could be shown by no later page."""
    assert ask(explorer, "POST", "open?name=good.csv", csv())[0] == 200
    given = {"label": "y", "scores": ["a"], "title": "\ud800"}
    status, text = ask(explorer, "POST", "settings", json.dumps(given))
    assert (status, "half a character" in text) == (400, True)
    for place in ("", "report.html", "report.json", "report.md"):
        assert ask(explorer, "GET", place)[0] == 200


def test_names_that_are_no_text_do_no_harm(explorer):
    """Of a file, as a browser or a program may send them."""
    for name in ("%ED%A0%80.csv", "%FF%FE", "%00", "%1B%5B31m", "%3Cscript%3E"):
        assert ask(explorer, "POST", f"open?name={name}", csv())[0] == 200
        status, page = ask(explorer, "GET", "")
        assert status == 200
        assert "<script>alert" not in page


def test_memory_is_bounded_whatever_the_text():
    """A cell of 130,000 characters, and five megabytes of notes, each once took gigabytes."""
    if not Path("/proc/self/status").exists():
        pytest.skip("only Linux tells the most memory that a program used since it was started")
    code = (
        "from pathlib import Path\n"
        "from isocost.data.tables import Roles\n"
        "from isocost.data.files import Upload\n"
        "from isocost.explorer.explorer import Settings, view_of\n"
        "rows = [f'{i % 2},{i % 97 / 97},' for i in range(50_000)]\n"
        "cell = 'y,a,note\\n' + 'x\\n'.join(rows[:4000]) + 'q' * 130_000 + '\\n'\n"
        "notes = 'y,a,note\\n' + '\\n'.join(row + 'lorem ipsum ' * 8 + str(i) for i, row in enumerate(rows)) + '\\n'\n"
        "for text in (cell, notes):\n"
        "    view_of(Upload(text.encode(), 'x.csv'), Roles(), Settings(n_resamples=0))\n"
        "print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 600_000  # kilobytes


def test_a_small_file_of_very_many_rows_is_refused(monkeypatch):
    """Packed, a row may take no space at all; the page asks for fewer models."""
    monkeypatch.setattr("isocost.explorer.explorer.MOST_SCORES", 100_000)
    many = np.arange(100_002)
    body = parquet(y=many % 2, a=many % 2 * 0.5)
    assert len(body) < 10_000
    view = view_of(Upload(body, "many.parquet"), Roles(), Settings(), ask=True)
    assert "100,002 scores, more than " in view.problem


def test_an_upload_just_below_the_limit_takes_bounded_memory():
    """Five megabytes of short rows, the most cases that fit: some hundred bytes a case, and no more than that."""
    if not Path("/proc/self/status").exists():
        pytest.skip("only Linux tells the most memory that a program used since it was started")
    code = (
        "from pathlib import Path\n"
        "from isocost.explorer.explorer import Explorer\n"
        "explorer = Explorer(most_bytes=5_000_000)\n"
        "reader = explorer.reader.start().pid\n"
        "def most(): return int(Path(f'/proc/{reader}/status').read_text().partition('VmHWM:')[2].split()[0])\n"
        "explorer.open(b'y,a\\n' + b'1,5\\n0,4\\n' * 100, 'few.csv')\n"
        "before = most()\n"
        "explorer.open(b'y,a\\n' + b'1,5\\n0,4\\n' * 620_000, 'many.csv')\n"
        "assert explorer.view.report is not None\n"
        "print(most() - before)\n"
        "explorer.reader.close()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 400_000  # kilobytes


def test_the_explorer_ends_at_once_while_it_reads(tmp_path):
    """SIGTERM in the middle of an upload: soon, and without temporary folders."""
    code = (
        "import sys, threading\n"
        "from isocost.cli.termination import survived\n"
        "from isocost.explorer import explorer\n"
        "def run():\n"
        "    running = explorer.Explorer()\n"
        "    header = ','.join(['y', *(f'x{i}' for i in range(15_000))])\n"
        "    body = (header + '\\n' + ('1' + ',0.5' * 15_000 + '\\n') * 20).encode()\n"
        "    threading.Thread(target=running.open, args=(body, 'wide.csv'), daemon=True).start()\n"
        "    explorer.explore(running, browse=False)\n"
        "    return 0\n"
        "sys.argv[1:] = ['explore']\n"
        "sys.exit(survived(run))\n"
    )
    env = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as ran:
        while not list(tmp_path.glob("isocost-*/copy*")):
            time.sleep(0.01)
        ran.send_signal(signal.SIGTERM)
        ran.communicate(timeout=60)
    assert list(tmp_path.iterdir()) == []


def test_a_stalled_upload_keeps_no_other_waiting(explorer):
    """One that promises more than it sends is waited for, and others are read meanwhile."""
    stalled = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=60)
    stalled.putrequest("POST", f"/{explorer.token}/open?name=slow.csv")
    stalled.putheader("Content-Length", "1000")
    stalled.endheaders(b"y,a\n")
    try:
        assert ask(explorer, "POST", "open?name=good.csv", csv())[0] == 200
    finally:
        stalled.close()


def test_an_upload_that_kills_its_reader_kills_nothing_else(explorer, monkeypatch):
    """The explorer says so, shows what it showed, and reads the next file."""
    assert ask(explorer, "POST", "open?name=good.csv", csv())[0] == 200
    shown = explorer.view
    # An upload that, unpacked over there, ends the process.
    reader = explorer.reader.start().pid
    with monkeypatch.context() as patch:
        patch.setattr(Upload, "__reduce__", lambda _: (os.kill, (reader, signal.SIGSEGV)))
        status, text = ask(explorer, "POST", "open?name=bad.parquet", csv())
    assert status == 400
    assert "bad.parquet cannot be read: the process that read it died (SIGSEGV)" in text
    assert explorer.view is shown
    assert ask(explorer, "POST", "open?name=good.csv", csv())[0] == 200
