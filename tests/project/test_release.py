import re
import runpy
import tomllib
from pathlib import Path

import pytest

import isocost

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELEASE = runpy.run_path(str(ROOT / "scripts" / "check_release.py"))


def test_the_citation_is_about_this_version():
    """Whoever cites it names what they used."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", text, re.MULTILINE).group(1) == isocost.__version__
    assert (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").count(f"## {isocost.__version__}") == 1


def test_every_dependency_has_a_lower_bound_that_can_be_installed_alone():
    """`make oldest` turns `name>=lower` into `name==lower`, the first release that is allowed."""
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *(r for name, extra in extras.items() if name != "all" for r in extra)]
    assert [r for r in asked if not re.fullmatch(r"[a-z-]+(\[\w+\])?==[\d.]+", RELEASE["oldest"](r))] == []
    with pytest.raises(SystemExit, match="no lower bound"):
        RELEASE["oldest"]("numpy")


def test_declared_pythons_begin_with_the_required_one():
    """3.11 to 3.14."""
    declared = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert declared == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == ">=3.11"


def test_the_core_tests_need_the_core_only():
    """They are found by their imports: most folders of the core, and no file that imports an optional package."""
    found = RELEASE["core_tests"]()
    assert {path.parts[1] for path in found} == set(RELEASE["FOLDERS"])
    assert len(found) > 30
    assert not [path for path in found if "sklearn" in (ROOT / path).read_text(encoding="utf-8")]


CHECK = runpy.run_path(str(ROOT / "scripts" / "check_version.py"))


@pytest.mark.parametrize(
    ("tag", "section", "reported"),
    [
        ("v0.1.0", "0.1.0 (2026-12-01)", ""),
        ("v0.1.0", "0.1.0 (not released)", "CHANGELOG.md says '## 0.1.0 (not released)': give the section its date\n"),
        ("v0.1.0", "0.2.0 (2026-12-01)", "CHANGELOG.md names version 0.2.0: its tag is v0.2.0, not v0.1.0\n"),
        ("0.1.0", "0.1.0 (2026-12-01)", "its tag is v0.1.0, not 0.1.0\n"),
    ],
)
def test_a_tag_is_refused_that_names_another_version(tmp_path, capsys, tag, section, reported):
    """Package, citation and changelog agree, the tag with them, and the changelog gives the day."""
    (tmp_path / "src" / "isocost").mkdir(parents=True)
    (tmp_path / "src" / "isocost" / "__init__.py").write_text('__version__ = "0.1.0"\n', encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text("version: 0.1.0\n", encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {section}\n", encoding="utf-8")
    assert CHECK["main"]([tag], tmp_path) == bool(reported)
    assert capsys.readouterr().err.endswith(reported)


def test_the_files_of_the_project_name_one_version():
    """They do so before there is a tag."""
    assert set(CHECK["versions"]().values()) == {isocost.__version__}


@pytest.mark.parametrize("arguments", [[], ["v0.1.0", "v0.2.0"]])
def test_a_version_cannot_be_checked_without_one_tag(arguments, capsys):
    """One sentence says how, with the code of a usage error."""
    assert CHECK["main"](arguments) == 2
    assert capsys.readouterr().err == "Pass one tag, such as v0.1.0: python scripts/check_version.py v0.1.0\n"


def test_the_description_of_the_package_has_no_relative_link_once_there_is_an_address():
    """Pictures lead to raw files; what leads elsewhere stays as it is."""
    absolute = runpy.run_path(str(ROOT / "hatch_build.py"))["absolute"]
    linked = "[![p](a.png)](b.md) [c](c.md#d) [e](https://e.org) [f](#f)"
    at = "https://example.org/x"
    wanted = f"[![p]({at}/raw/HEAD/a.png)]({at}/blob/HEAD/b.md) [c]({at}/blob/HEAD/c.md#d) [e](https://e.org) [f](#f)"
    assert absolute(linked, at) == wanted
    made = absolute((ROOT / "README.md").read_text(encoding="utf-8"), at)
    assert made.count(f"]({at}/") >= 10
    assert [target for target in re.findall(r"\]\(([^)]+)\)", made) if not target.startswith(("https://", "#"))] == []


def test_every_action_is_pinned_by_its_commit_and_may_do_nothing_by_default():
    """A tag can be moved; rights are given to each job."""
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    assert len(workflows) >= 4
    for path in workflows:
        text = path.read_text(encoding="utf-8")
        assert "\npermissions: {}\n" in text, path.name
        for used in re.findall(r"uses: (.+)", text):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", used), used


def test_the_recipe_for_conda_asks_for_what_the_package_asks_for():
    """Version, Python and core dependencies of both are the same, and no optional one is bounded otherwise."""
    recipe = (ROOT / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^    - ([\w-]+) >=([\d.]+)$", recipe, re.MULTILINE))
    core = dict(requirement.split(">=") for requirement in PROJECT["dependencies"])
    extras = [r for name, extra in PROJECT["optional-dependencies"].items() if name != "all" for r in extra]
    optional = dict(r.split(">=") for r in extras if "[" not in r)
    assert f'version: "{isocost.__version__}"' in recipe
    assert listed.pop("python") == PROJECT["requires-python"].removeprefix(">=")
    assert {name: listed.pop(name) for name in core} == core
    names = {"matplotlib-base": "matplotlib", "python-duckdb": "duckdb"}
    build = listed.pop("hatchling")
    assert f"hatchling>={build}" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert {names.get(name, name): bound for name, bound in listed.items()}.items() <= optional.items()


def test_every_public_name_has_its_stability():
    """Each stands once in the table of the page, and none that is gone."""
    page = (ROOT / "docs" / "reference" / "support.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `"))
    assert sorted(re.findall(r"`(\w+)`", row)) == sorted(isocost.__all__)


def test_files_are_damaged_every_night():
    """With other bits each time, a thousand of each format, in a time that ends."""
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    assert re.search(r'cron: "\d+ \d+ \* \* \*"', nightly)
    asked = nightly.partition("run: make test-long")[2]
    for setting in ('FLIPS: "1000"', 'LIMIT: "7200"', "SEED: ${{ github.run_number }}"):
        assert setting in asked


def test_the_site_links_to_the_repository_once_it_has_an_address():
    """None is invented before."""
    icon_links = runpy.run_path(str(ROOT / "docs" / "extensions" / "home.py"))["icon_links"]
    (link,) = icon_links(["Issues, https://example.org/issues", "Repository, https://example.org/isocost"])
    assert (link["name"], link["url"]) == ("Repository", "https://example.org/isocost")
    assert icon_links(None) == []
