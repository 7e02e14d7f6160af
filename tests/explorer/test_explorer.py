import gzip
import http.client
import json
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

import isocost as ic
from isocost.data.files import Upload
from isocost.data.tables import Roles
from isocost.errors import InputError
from isocost.explorer import serving
from isocost.explorer.explorer import Explorer, Settings, explore, view_of
from isocost.report import extract

RNG = np.random.default_rng(0)
Y = (RNG.random(200) < 0.4).astype(int)
CSV = "y,a,b,note\n" + "".join(f"{y},{y + RNG.normal():.4f},{RNG.normal():.4f},row\n" for y in Y)


def running(**options):
    """An explorer that answers while the block runs, and shows a file."""
    return running_empty(view=view_of(Upload(CSV.encode(), "first.csv"), Roles(), Settings(n_resamples=10)), **options)


@contextmanager
def running_empty(view=None, **options):
    """An explorer that answers while the block runs."""
    explorer = Explorer(view, **options)
    thread = threading.Thread(target=explorer.serve, daemon=True)
    thread.start()
    try:
        yield explorer
    finally:
        explorer.close()
        thread.join(timeout=10)


@pytest.fixture(scope="module")
def shared():
    """One explorer for tests that leave it as it is."""
    with running() as explorer:
        yield explorer


def ask(explorer, method, place, body=None, *, path=None, **headers):
    """Send one request; return the status and the text."""
    line = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=30)
    try:
        line.request(method, f"/{explorer.token}/{place}" if path is None else path, body, headers)
        answer = line.getresponse()
        return answer.status, answer.read().decode(), answer.headers
    finally:
        line.close()


def test_page_and_report_are_served(shared):
    """The address shows the controls above the report, and the report can be saved in three ways."""
    status, page, headers = ask(shared, "GET", "")
    assert status == 200
    assert "first.csv" in page
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    for kind in ("html", "json", "md"):
        status, text, headers = ask(shared, "GET", f"report.{kind}")
        assert status == 200
        assert headers["Content-Disposition"] == f'attachment; filename="report.{kind}"'
        if kind != "md":
            assert extract(text) == shared.view.report.summary


def test_only_this_machine_can_ask(shared):
    """The server listens on the loopback address and nowhere else."""
    assert shared._server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/report.html", "//", "/%00/", "/%C3%A9/"])
def test_wrong_token_is_refused(shared, path):
    """Who does not know the secret gets nothing, not even whether a place exists."""
    assert ask(shared, "GET", "", path=path)[0] == 403


def test_wrong_token_cannot_upload(shared):
    """The same for what changes the view."""
    assert ask(shared, "POST", "", "x", path="/wrong/open")[0] == 403
    assert ask(shared, "POST", "", "{}", path="/settings")[0] == 403


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1", "127.0.0.1:1", "localhost.evil.test:80", ""])
def test_wrong_host_is_refused(shared, host):
    """A site that points its name at this machine (DNS rebinding) is distinguished by the name."""
    assert ask(shared, "GET", "", Host=host)[0] == 403
    assert ask(shared, "GET", "", Host=f"localhost:{shared.port}")[0] == 200


def test_wrong_origin_is_refused(shared):
    """Another page in the same browser cannot post, even if it knew the address."""
    assert ask(shared, "POST", "settings", "{}", Origin="http://evil.test")[0] == 403
    assert ask(shared, "POST", "settings", "{}", Origin="null")[0] == 403


@pytest.mark.parametrize(
    "place", ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "report.html/../x", "page/app.js", "report.exe", "open"]
)
def test_nothing_but_the_known_places_is_there(shared, place):
    """No path leads to a file of this machine."""
    status, text, _ = ask(shared, "GET", place)
    assert status == 404
    assert "root:" not in text


def test_other_methods_are_refused(shared):
    """Only GET and POST are understood."""
    assert ask(shared, "PUT", "open", "x")[0] == 501
    assert ask(shared, "DELETE", "")[0] == 501


def test_words_are_chosen_on_the_page_and_kept():
    """What a case, its kinds and flagging are called goes into the report; an empty field is the usual word."""
    with running() as explorer:
        given = {
            "label": "y",
            "scores": ["a"],
            "case": "applicant, applicants",
            "positive": "bad risk, bad risks",
            "flag": "turn down, turns down, turned down, turning down",
            "negative": "",
        }
        assert ask(explorer, "POST", "settings", json.dumps(given))[0] == 200
        words = json.loads(ask(explorer, "GET", "report.json")[1])["decision"]["question"]["words"]
        assert (words["cases"], words["positives"], words["negative"]) == ("applicants", "bad risks", "negative")
        assert words["flagged"] == "turned down"
        page = ask(explorer, "GET", "")[1]
        assert 'name="case" value="applicant, applicants"' in page
        assert 'name="negative" value=""' in page
        status, reported, _ = ask(explorer, "POST", "settings", json.dumps(given | {"case": ["x"]}))
        assert (status, "a case, cases must be text" in reported) == (400, True)
        status, reported, _ = ask(explorer, "POST", "settings", json.dumps(given | {"case": "applicant"}))
        assert (status, "give 2 forms with commas between them" in reported) == (400, True)


def compared(names=("a", "b")):
    """The comparison behind the file that explorers of these tests show."""
    y, *columns = np.genfromtxt(CSV.splitlines()[1:], delimiter=",", usecols=(0, 1, 2)).T
    scores = dict(zip(("a", "b"), columns, strict=True))
    return ic.Comparison.from_scores(y.astype(int), {name: scores[name] for name in names})


def test_groups_and_level_are_chosen_on_the_page():
    """What a report takes the form takes: the section about groups, and the level of all intervals."""
    with running() as explorer:
        table = CSV.replace(",row\n", ",north\n", 100).replace(",row\n", ",south\n")
        assert ask(explorer, "POST", "open?name=parts.csv", table.encode())[0] == 200
        given = {"label": "y", "scores": ["a", "b"], "n_resamples": "20", "group": "note", "level": "80 %"}
        assert ask(explorer, "POST", "settings", json.dumps(given))[:2] == (200, "{}")
        found = explorer.view.report.summary
        assert {row["group"] for row in found["groups"]["rows"]} == {"north", "south"}
        assert found["level"] == 0.8
        page = ask(explorer, "GET", "")[1]
        assert '<option value="note" selected>' in page


def test_a_change_on_the_page_keeps_what_the_command_asked():
    """Costs, limits and the other cases on which the rule is judged; another file is another question."""
    question = {"max_flagged": 0.5, "sure": 0.6, "unit": "€"}
    settings = Settings({"pcf": 0.6}, None, 10, question=question, evaluate=Upload(CSV.encode(), "later.csv"))
    with running_empty(view_of(Upload(CSV.encode(), "first.csv"), Roles(), settings)) as explorer:
        given = {"label": "y", "scores": ["a"], "n_resamples": "0", "unit": "€"}
        assert ask(explorer, "POST", "settings", json.dumps(given))[:2] == (200, "{}")
        found = explorer.view.report.summary
        expected = compared("a").decide(ic.Conditions.from_t(0.4), max_flagged=0.5, sure=0.6)
        assert found["decision"]["question"]["limits"] == [{"kind": "max_flagged", "value": 0.5}]
        assert (found["decision"]["rule"], found["decision"]["threshold"]) == (expected.rule, expected.threshold)
        assert any(note.startswith("later.csv: ") for note in found["data"]["notes"])
        assert ask(explorer, "POST", "open?name=other.csv", CSV.encode())[0] == 200
        found = explorer.view.report.summary
        assert (found["decision"]["question"]["limits"], found["unit"]) == ([], "")
        assert not any(note.startswith("later.csv: ") for note in found["data"]["notes"])


def test_published_results_take_settings_without_columns():
    """Their form has no columns to choose; words and second looks are taken."""
    matrices = Upload(b"model,tp,fn,fp,tn\nA,262,38,312,388\nB,196,104,147,553\n", "matrices.csv")
    with running_empty(view_of(matrices, Roles(), Settings(n_resamples=0))) as explorer:
        assert 'name="scores"' not in ask(explorer, "GET", "")[1]
        given = {"scores": [], "lower_is_positive": [], "case": "applicant, applicants", "n_resamples": "0"}
        assert ask(explorer, "POST", "settings", json.dumps(given))[:2] == (200, "{}")
        assert explorer.view.report.summary["decision"]["question"]["words"]["cases"] == "applicants"


def test_another_file_can_be_opened_and_its_columns_chosen():
    """Upload, look, choose other columns and resampling, save: all from the page."""
    with running() as explorer:
        body = CSV.replace("y,a,b", "target,first,second").encode()
        assert ask(explorer, "POST", "open?name=second.csv", body)[0] == 200
        summary = json.loads(ask(explorer, "GET", "report.json")[1])
        assert [m["name"] for m in summary["models"]] == ["first", "second"]
        assert summary["title"] == "second.csv"
        chosen_now = {
            "label": "target",
            "scores": ["second"],
            "pos_label": "0",
            "n_resamples": "7",
            "seed": "3",
            "unit": "$",
            "title": "T",
        }
        assert ask(explorer, "POST", "settings", json.dumps(chosen_now))[:2] == (200, "{}")
        summary = json.loads(ask(explorer, "GET", "report.json")[1])
        assert [m["name"] for m in summary["models"]] == ["second"]
        assert (summary["draws"]["sets"][0]["n"], summary["draws"]["seed"]) == (7, 3)
        assert (summary["unit"], summary["title"]) == ("$", "T")
        assert summary["data"]["positives"] == int(np.sum(Y == 0))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "empty"), (b"\xff\xfe\x00", "utf-16"), (b"a,b\n1\n", "line 2"),
        (b"a\x00,b\n1,2\n", "neither UTF-8 text nor Parquet"), (b"just one\n1\n", "single column"), (b"PAR1 nonsense PAR1", "Parquet"),
        (b"a,b\n", "holds no rows"),
    ],
)  # fmt: skip
def test_malformed_uploads_are_refused_in_words(shared, body, message):
    """A file that is none leaves the view as it is, and no traceback leaks."""
    before = shared.view
    status, text, _ = ask(shared, "POST", "open?name=x.csv", body)
    assert status == 400
    assert message in json.loads(text)["error"]
    assert "Traceback" not in text
    assert shared.view is before


def test_a_table_without_labels_lets_the_user_choose():
    """A readable file whose roles cannot be guessed is kept, with the reason above the choice of columns."""
    with running() as explorer:
        assert ask(explorer, "POST", "open?name=<b>.csv", b"u,v\n1,2\n2,3\n3,4\n")[0] == 200
        page = ask(explorer, "GET", "")[1]
        assert "has no column label, y_true, y or target. Choose one" in page
        assert "<b>.csv" not in page
        assert ask(explorer, "GET", "report.html")[0] == 404


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nonsense", "not JSON"), ("[" * 100_000, "not JSON"), ("[1]", "JSON object"), ("{}", "choose at least one column of scores"),
        ('{"label": "nope", "scores": ["a"]}', "unknown column of first.csv for label= 'nope'"),
        ('{"label": "y", "scores": []}', "at least one"), ('{"label": "y", "scores": ["y"]}', "cannot be a score and something else"),
        ('{"label": "y", "scores": ["note"]}', "score 'note' is not a number in 200 of 200 rows"),
        ('{"label": "y", "scores": ["a"], "n_resamples": "many"}', "Resamples must be a number"),
        ('{"label": "y", "scores": ["a"], "n_resamples": 99999}', "10000"),
        ('{"label": "y", "scores": ["a"], "pos_label": "7"}', "'7' is not among the classes"),
        ('{"label": 3, "scores": ["a"]}', "label must be text"),
        ('{"label": "y", "scores": ["a"], "missing": "maybe"}', "known: 'error', 'drop'"),
        ('{"label": "y", "scores": ["a"], "lower_is_positive": ["b"]}', "to turn round 'b'"),
        ('{"label": "y", "scores": ["a"], "lower_is_positive": "a"}', "lower_is_positive must be a list"),
        ('{"label": "y", "scores": ["a"], "title": "\\ud800"}', "title holds half a character"),
        ('{"label": "y", "scores": ["a"], "level": "1"}', "level"),
        ('{"label": "y", "scores": ["a"], "group": "y"}', "columns of labels and of groups must be different values, got 'y', 'y'"),
        ('{"label": "y", "scores": ["a"], "group": "a"}', "cannot be a score and something else"),
        ('{"label": "y", "scores": ["a"], "group": "nope"}', "unknown column of first.csv for group= 'nope'"),
    ],
)  # fmt: skip
def test_senseless_settings_are_refused_in_words(shared, given, message):
    """Settings that do not fit leave the view as it is."""
    before = shared.view
    status, text, _ = ask(shared, "POST", "settings", given)
    assert status == 400
    assert message in json.loads(text)["error"]
    assert shared.view is before


def test_half_a_gigabyte_is_refused_before_it_is_sent(shared):
    """The length alone decides: a clear answer, and nothing is kept."""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=30) as line:
        head = (
            f"POST /{shared.token}/open HTTP/1.1\r\nHost: 127.0.0.1:{shared.port}\r\nContent-Length: 500000000\r\n\r\n"
        )
        line.sendall(head.encode() + b"a,b\n")
        answer = b""
        while b"500 MB are too much" not in answer and (more := line.recv(4096)):
            answer += more
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"500 MB are too much" in answer


def test_a_large_upload_hears_why_it_is_refused():
    """A browser that sends everything first still gets the answer."""
    with running(most_bytes=100_000) as explorer:
        status, text, _ = ask(explorer, "POST", "open?name=big.csv", b"a,b\n" + b"1,2\n" * 1_000_000)
        assert status == 413
        assert "up to 0 MB" in text
        assert ask(explorer, "GET", "")[0] == 200


@pytest.mark.parametrize("length", ["", "-5", "abc", "1e3"])
def test_an_upload_without_a_length_is_refused(shared, length):
    """Unbounded data are not read."""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=30) as line:
        reported = f"Content-Length: {length}\r\n" if length else "Transfer-Encoding: chunked\r\n"
        line.sendall(f"POST /{shared.token}/open HTTP/1.1\r\nHost: 127.0.0.1:{shared.port}\r\n{reported}\r\n".encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 411")


def test_an_upload_that_breaks_off_changes_nothing(shared):
    """Half a file is no file."""
    before = shared.view
    with socket.create_connection(("127.0.0.1", shared.port), timeout=30) as line:
        head = f"POST /{shared.token}/open HTTP/1.1\r\nHost: 127.0.0.1:{shared.port}\r\nContent-Length: 1000\r\n\r\ny,a\n1,2\n"
        line.sendall(head.encode())
    assert ask(shared, "GET", "")[0] == 200
    assert shared.view is before


def test_fifty_at_once_are_answered(shared):
    """Fifty concurrent requests all get the page."""
    with ThreadPoolExecutor(50) as pool:
        found = list(pool.map(lambda _: ask(shared, "GET", "report.md")[:2], range(50)))
    assert {status for status, _ in found} == {200}
    assert len({text for _, text in found}) == 1


def test_surprises_stay_inside(shared, monkeypatch, capfd):
    """An error of ours is answered without details, on the page and in the terminal."""

    def fail(*_):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(serving, "explorer_page", fail)
    status, text, _ = ask(shared, "GET", "")
    assert status == 500
    assert "secret" not in text
    out, err = capfd.readouterr()
    assert "secret" not in out + err


def test_controls_escape_user_text():
    """Columns and labels named like markup are shown as text."""
    hostile = '"><script>alert(1)</script>'
    table = f'y,"{hostile.replace(chr(34), chr(34) * 2)}"\n' + "".join(f"{i % 2},{i / 2}\n" for i in range(20))
    with running() as explorer:
        assert ask(explorer, "POST", "open?name=x.csv", table.encode())[0] == 200
        page = ask(explorer, "GET", "")[1]
    assert hostile not in page
    assert len(re.findall(r"<script", page)) == 3


def test_explore_prints_its_address_and_ends_with_ctrl_c(monkeypatch, capsys):
    """The command shows where to look, and Ctrl-C ends it quietly."""
    opened = []
    explorer = Explorer()
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(explorer, "serve", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    explore(explorer)
    assert len(opened) == 1
    assert capsys.readouterr().out.startswith(explorer.url)


def test_every_explorer_has_a_secret_of_its_own():
    """The token is long, random, and fits into an address."""
    first, second = Explorer(), Explorer()
    try:
        assert first.token != second.token
        assert re.fullmatch(r"[\w-]{32}", first.token)
    finally:
        for explorer in (first, second):
            explorer._server.server_close()


def test_the_secret_stands_on_no_command_line(monkeypatch):
    """The browser is sent to a private page that leads on; it is gone when the explorer ends."""
    found = []
    explorer = Explorer()

    def look(address):
        page = Path(urlsplit(address).path)
        found.append((address, page.stat().st_mode & 0o077, page.read_text(encoding="utf-8"), page))

    monkeypatch.setattr("webbrowser.open", look)
    monkeypatch.setattr(explorer, "serve", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    explore(explorer)
    [(address, others, text, page)] = found
    assert explorer.token not in address
    assert others == 0
    assert f"url={explorer.url}" in text
    assert not page.exists()


def test_a_port_in_use_is_said(shared):
    """Instead of a number of the operating system."""
    with pytest.raises(InputError, match=f"port {shared.port} is in use: choose another, or 0 for a free one"):
        Explorer(port=shared.port)


def test_labels_in_words_are_guessed_and_shown():
    """The rarer one is taken to be caught, both can be chosen beside the report."""
    rows = "".join(f"{'bad' if y else 'good'},{y + i % 7 / 9}\n" for i, y in enumerate(Y))
    with running() as explorer:
        assert ask(explorer, "POST", "open?name=w.csv", ("y,a\n" + rows).encode())[0] == 200
        page = unescape(ask(explorer, "GET", "")[1])
        many = {name: int(np.sum(y == Y)) for name, y in (("bad", 1), ("good", 0))}
        rarer = min(many, key=many.get)
        assert f'<option value="{rarer}" selected>' in page
        assert explorer.view.report.summary["data"]["positives"] == many[rarer]
        given = {"label": "y", "scores": ["a"], "pos_label": "good"}
        assert ask(explorer, "POST", "settings", json.dumps(given))[0] == 200
        assert json.loads(ask(explorer, "GET", "report.json")[1])["data"]["positives"] == many["good"]


def test_the_page_says_what_was_read_and_left_out():
    """Columns that are no models, rows without a score and decimal commas are stated above the report."""
    rows = "".join(f"{i};{y};{y + i % 7 / 9:.3f}\n".replace(".", ",") for i, y in enumerate(Y))
    with running() as explorer:
        assert ask(explorer, "POST", "open?name=w.csv", ("id;y;a\n" + rows + "900;1;\n").encode())[0] == 200
        page = unescape(ask(explorer, "GET", "")[1])
        assert "is missing in 1 of 201 rows, the first is row 201" in page
        given = {"label": "y", "scores": ["a"], "missing": "drop", "lower_is_positive": ["a"]}
        assert ask(explorer, "POST", "settings", json.dumps(given))[0] == 200
        page = unescape(ask(explorer, "GET", "")[1])
        assert "w.csv has decimal commas: 0,5 is read as 0.5." in page
        assert "1 of 201 rows was left out: something is missing in it." in page
        assert "-a: a with its sign turned; score ≥ x means a ≤ -x." in page
        assert ask(explorer, "POST", "open?name=v.csv", ("id;y;a\n" + rows).encode())[0] == 200
        page = unescape(ask(explorer, "GET", "")[1])
        assert "model: a; left out: id (whole numbers that count up by 1)" in page


def test_too_much_work_is_refused(monkeypatch):
    """More models or resamples than a page can wait for."""
    monkeypatch.setattr("isocost.explorer.explorer.MOST_MODELS", 1)
    monkeypatch.setattr("isocost.explorer.explorer.MOST_DRAWN", 1000)
    upload = Upload(CSV.encode(), "w.csv")
    assert "choose at most 1 columns of scores, not 2" in view_of(upload, Roles(), Settings(), ask=True).problem
    with pytest.raises(InputError, match="6 resamples of 200 cases take too long here"):
        view_of(upload, Roles(scores=("a",)), Settings(n_resamples=6))


def test_what_unpacks_to_too_much_is_refused(monkeypatch):
    """A small file may hold a large one."""
    monkeypatch.setattr("isocost.data.files.MOST_UNPACKED", 1000)
    with pytest.raises(InputError, match=r"bomb\.csv\.gz unpacks to more than 0 GB: use the command for it"):
        view_of(Upload(gzip.compress(CSV.encode()), "bomb.csv.gz"), Roles(), Settings())


def test_published_results_are_a_report_too():
    """A table of confusion matrices needs no columns chosen; points of ROC space ask for the share of positives."""
    matrices = Upload(b"model,tp,fn,fp,tn\nA,262,38,312,388\nB,196,104,147,553\n", "matrices.csv")
    view = view_of(matrices, Roles(), Settings())
    assert view.problem is None
    notice = view.report.summary["data"]["notes"]
    assert notice[0] == "matrices.csv: published results of A, B"
    assert "resampled apart" in notice[1]
    assert view.report.summary["decision"]["confidence"] is not None
    points = Upload(b"model,fpr,tpr\nA,0.1,0.5\nB,0.4,0.9\n", "points.csv")
    assert "--prevalence" in view_of(points, Roles(), Settings()).problem
    assert view_of(points, Roles(), Settings({"prevalence": 0.2})).report is not None


@pytest.mark.parametrize("port", [0.0, np.False_])
def test_a_port_may_be_any_whole_number(port):
    """Numbers of other types are what they are."""
    explorer = Explorer(port=port)
    try:
        assert explorer.port > 0
    finally:
        explorer._server.server_close()
