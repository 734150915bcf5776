"""The pages of `duiyi trace --html` in headless Chromium: steps by keyboard and slider, compared with `trace --json`."""

import json
import random
import re
import shutil
import subprocess

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need Chromium (Debian package chromium)")

METHODS = ["minimax", "minimax-typed", "negamax", "maxmin-hard", "maxmin-soft"]
METHODS += ["alphabeta-hard", "alphabeta-soft", "memoised"]
ORDERS = ["natural", "worst", "best-first"]
RANDOM_TREES = 1000
TREE = ["--variant", "gametree", "--position"]


def trace_json(program, *arguments):
    command = [program, "trace", *arguments, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture
def open_page(program, tmp_path):
    """Returns a function that writes a page and opens it. A message on the console is an error at the end."""
    messages = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)

        def open_page(*arguments, width=1280, scheme="light"):
            file = tmp_path / "page.html"
            subprocess.run([program, "trace", *arguments, "--html", file], capture_output=True, check=True)
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page.on("console", lambda message: messages.append(message.text))
            page.on("pageerror", lambda error: messages.append(str(error)))
            page.goto(file.as_uri())
            return page

        yield open_page
        browser.close()
    assert messages == []


def shown(value, unit):
    """The text of a value in a page."""
    if re.fullmatch(r"-?\d+", value) and unit != 1:
        value = f"{int(value) / unit:.2f}"
    return value.replace("inf", "∞").replace("-", "−")


READ_PANEL = """() => ({
    place: document.getElementById("place").textContent,
    sentence: document.querySelector(".sentence").textContent,
    terms: [...document.querySelectorAll(".facts dt")].map(term => term.textContent),
    facts: [...document.querySelectorAll(".facts dd")].map(fact => fact.textContent),
    cut: document.querySelectorAll(".node.cut").length,
    edges: document.querySelectorAll(".edge.cut").length,
    current: document.querySelector(".node.current .name").textContent,
    lines: [...document.querySelectorAll(".code li[aria-current]")].map(line => line.textContent),
})"""


def check_step(panel, trace, number):
    step, unit = trace["steps"][number], trace["unit"]
    assert panel["place"] == f"Step {number + 1} of {len(trace['steps'])}"
    rows = list(zip(panel["terms"], panel["facts"]))
    assert rows[0] == ("Node", f"{step['node']}, {step['player']} to move, depth {step['depth']}")
    assert panel["current"] == step["node"].split()[-1]
    facts = dict(rows)
    if "alpha" in step:
        assert (facts["α"], facts["β"]) == (shown(step["alpha"], unit), shown(step["beta"], unit))
    outcomes = [fact for term, fact in rows if term == "Outcome"]
    tests = [fact for term, fact in rows if term == "Test"]
    assert len(outcomes) == len(tests) >= 1
    match step["step"]:
        case "enter":
            assert (facts["v"], outcomes) == (shown(step["v"], unit), ["no"])
        case "leaf":
            assert (facts["Value"], outcomes) == (shown(step["value"], unit), ["yes"])
        case "value":
            best = step["value"] if step["is_best"] else step["best_before"]
            assert facts["v"] == shown(best, unit)
            assert outcomes == ["yes" if step["is_best"] else "no"] + ["no"] * (step["failed_test"] is not None)
        case "cutoff":
            assert outcomes == ["yes"] and panel["sentence"].startswith(f"Cutoff at {step['node']}.")
    assert panel["lines"], "a line of the pseudocode is marked"
    assert [line.split("→ ")[1] for line in panel["lines"] if "→ " in line] == [
        outcome for test, outcome in zip(tests, outcomes) if test.startswith("cutoff")
    ]
    left_out = sum(len(earlier.get("left_out", [])) for earlier in trace["steps"][: number + 1])
    assert (panel["cut"], panel["edges"]) == (left_out, left_out)


@pytest.mark.parametrize(
    "arguments",
    [
        [*TREE, "worked"],
        [*TREE, "seven", "--method", "alphabeta-hard"],
        [*TREE, "bags", "--method", "memoised"],
        ["--variant", "tictactoe", "--depth", "2"],
        ["--variant", "trianglewar", "--depth", "1", "--method", "negamax"],
        ["--variant", "cfour", "--depth", "2", "--method", "alphabeta-soft"],
        ["--variant", "chess", "--depth", "1", "--method", "minimax-typed"],
    ],
    ids=lambda arguments: arguments[1] + arguments[3],
)
def test_every_step_equals_the_trace(program, open_page, arguments):
    trace = trace_json(program, *arguments)
    page = open_page(*arguments)
    last = len(trace["steps"]) - 1
    for number in range(last + 1):
        check_step(page.evaluate(READ_PANEL), trace, number)
        page.keyboard.press("ArrowRight")
    for number in (last // 2, 0, last):
        page.locator("#slider").fill(str(number))
        check_step(page.evaluate(READ_PANEL), trace, number)
    page.keyboard.press("ArrowLeft")
    check_step(page.evaluate(READ_PANEL), trace, last - 1)
    page.keyboard.press("Home")
    check_step(page.evaluate(READ_PANEL), trace, 0)
    cutoffs = [number for number, step in enumerate(trace["steps"]) if step["step"] == "cutoff"]
    for number in cutoffs[:2]:
        page.keyboard.press("PageDown")
        check_step(page.evaluate(READ_PANEL), trace, number)
    boards = page.locator(".node .board").count()
    assert boards == (0 if trace["variant"] == "gametree" else len(trace["tree"]))


def test_page_fits_every_width_in_dark_and_light(open_page):
    overlaps = """() => {
        const texts = [...document.querySelectorAll(".node text")];
        const boxes = texts.map(text => [text.parentNode, text.getBoundingClientRect()]);
        const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
        return boxes.flatMap(([node, box], number) =>
            boxes.slice(number + 1).filter(([other, next]) => other !== node && overlap(box, next))).length;
    }"""
    backgrounds = set()
    for position in ("worked", "seven", "bags"):
        for scheme in ("light", "dark"):
            page = open_page(*TREE, position, "--beside", "minimax", scheme=scheme)
            page.keyboard.press("PageDown")
            for width in (360, 600, 1024, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                page.wait_for_function("width => window.innerWidth === width", arg=width)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (position, width)
                assert page.evaluate(overlaps) == 0, (position, scheme, width)
            backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            page.close()
    assert len(backgrounds) == 2


def test_traces_side_by_side_stand_at_the_same_step_or_node(open_page):
    page = open_page(*TREE, "seven", "--method", "minimax", "--beside", "alphabeta-hard")
    sentences = page.locator(".sentence")
    page.locator("#slider").fill("12")
    assert sentences.all_text_contents()[0] == "C H is a leaf (end) with the value 11."
    assert sentences.all_text_contents()[1].startswith("Cutoff at C.")
    page.get_by_label("same node as the first").check()
    page.locator("#slider").fill("2")
    assert sentences.all_text_contents()[1].startswith("B D is a leaf")
    page.locator("#slider").fill("12")
    assert sentences.all_text_contents()[1].startswith("Cutoff at C.")
    assert page.locator(".note").all_text_contents() == ["", "This search does not look at C H here."]
    page.get_by_role("button", name="Add a trace beside").click()
    assert page.locator(".panel").count() == 3
    page.get_by_role("button", name="Remove this trace").last.click()
    assert page.locator(".panel").count() == 2


def test_page_says_why_c_is_cut_and_where_a_cutoff_would_save_something(open_page):
    page = open_page(*TREE, "worked")
    page.get_by_role("button", name="Next cutoff").click()
    sentence = page.locator(".sentence").text_content()
    assert "MAX has 3 already, by B at A, and MIN holds it to 2 here" in sentence
    assert sentence.endswith("H was the last move: this saves nothing.")
    assert "If H came first at C, G would not be looked at either." in page.locator(".cutoffs").text_content()
    page.get_by_role("button", name="Put H first").click()
    assert page.locator("#text").input_value() == "MAX A(B(E=3 F=12) C(H=2 G=8) D(I=4 J=6))"
    assert "C saves 1 node: G." in page.locator(".cutoffs").text_content()
    assert "minimax visits 10: 1 saved" in page.locator(".totals").text_content()


def random_tree(rng, depth, name="n"):
    if depth == 0 or (name != "n" and rng.random() < 0.15):
        return f"{name}={rng.randint(-9, 9)}"
    estimate = f"={rng.randint(-9, 9)}" if rng.random() < 0.3 else ""
    children = (random_tree(rng, depth - 1, f"{name}{number}") for number in range(rng.randint(1, 4)))
    return f"{name}{estimate}({' '.join(children)})"


def test_search_in_the_page_equals_the_program_on_random_trees(program, open_page):
    rng = random.Random(1568)
    cases, traces = [], []
    for _ in range(RANDOM_TREES):
        text = rng.choice(["MAX ", "MIN ", ""]) + random_tree(rng, rng.randint(1, 4))
        method, order, depth = rng.choice(METHODS), rng.choice(ORDERS), rng.choice([None, 1, 2, 3])
        cases.append([text, method, order, depth])
        limit = ["--depth", str(depth)] if depth else []
        traces.append(
            trace_json(program, *TREE, text, "--method", method, "--order", order, "--limit", "10000", *limit)
        )
    page = open_page(*TREE, "worked")
    found = page.evaluate("cases => cases.map(([text, ...rest]) => searchTree(parseTree(text), ...rest))", cases)
    for case, here, there in zip(cases, found, traces):
        assert here == there, case
    examples = dict(page.evaluate("EXAMPLES"))
    for name, text in examples.items():
        assert trace_json(program, *TREE, name)["position"] == text


def test_own_tree_is_read_or_refused_as_by_the_program(program, open_page):
    page = open_page(*TREE, "worked")
    for text in (
        "A(",
        "A(B)",
        "A(B=1 B=2)",
        "A=20001",
        "A(<b>=1)",
        "A(B=1))",
        "MAX",
        "",
        "A(moves=1)",
        "MAX(B=1)",
        "min a=3",
    ):
        page.locator("#text").fill(text)
        page.get_by_role("button", name="Search").click()
        fault = page.locator("#fault").text_content()
        command = [program, "trace", *TREE, text]
        accepts = subprocess.run(command, capture_output=True, check=False).returncode == 0
        assert accepts == (fault == ""), (text, fault)
        assert accepts or "column" in fault
    assert page.locator("b").filter(has_text="=1").count() == 0


def test_large_tree_is_drawn_in_part_and_a_larger_one_refused_with_a_depth(open_page):
    def tree(depth, branches, name="n"):
        if depth == 0:
            return f"{name}={len(name) * 7 % 13}"
        return f"{name}({' '.join(tree(depth - 1, branches, name + chr(97 + i)) for i in range(branches))})"

    page = open_page(*TREE, tree(3, 21), "--method", "minimax", "--limit", "10000")
    assert page.evaluate("state.panels[0].model.nodes.length") == 9724
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".node.current").count() == 1
    assert page.locator(".node").count() < 1000, "only the nodes in view are drawn"
    page.locator("#text").fill(tree(3, 25))
    page.locator("#depth").select_option("")
    page.get_by_role("button", name="Search").click()
    assert page.locator("#fault").text_content() == (
        "The tree has 16276 nodes, and a page draws 10000. Choose a depth of at most 2."
    )
    page.locator("#depth").select_option("2")
    page.get_by_role("button", name="Search").click()
    assert page.evaluate("state.panels[0].model.nodes.length") == 651
