"""The pages of `duiyi trace --html`, `duiyi analyse --html` and `search_log.py --html` in headless Chromium.

Every step, by keyboard and slider, is compared with the documents of the program.
"""

import json
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import chess
import pytest
from test_match import wait_for

from conftest import ROOT
from duiyi_match.rules import GAMES as RULES

METHODS = ["minimax", "minimax-typed", "negamax", "maxmin-hard", "maxmin-soft"]
METHODS += ["alphabeta-hard", "alphabeta-soft", "memoised"]
ORDERS = ["natural", "worst", "best-first"]
RANDOM_TREES = 1000
WIDTHS = (360, 600, 768, 1024, 1920)
TREE = ["--variant", "gametree", "--position"]


def press_and_read(page, key, times, read):
    """Presses a key several times. Returns what the script `read` finds before the first press and after each."""
    page.evaluate(f"""() => {{
        const read = {read};
        window.found = [read()];
        window.note = () => found.push(read()); // Runs after the page's own listener.
        document.addEventListener("keydown", note);
    }}""")
    page.keyboard.down(key)
    for _ in range(times - 1):
        page.keyboard.down(key)  # The key is held, and repeats.
    page.keyboard.up(key)
    return page.evaluate("() => { document.removeEventListener('keydown', note); return found; }")


def trace_json(program, *arguments):
    command = [program, "trace", *arguments, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture
def open_file(browser):
    """Returns a function that opens the page of a file. A message on the console is an error at the end."""
    messages, pages = [], []

    def open_file(file, width=1280, scheme="light", address=""):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(page)
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto(file.as_uri() + address)
        return page

    yield open_file
    for page in pages:
        page.close()
    assert messages == []


@pytest.fixture
def open_page(program, tmp_path, open_file):
    """Returns a function that writes the page of a trace and opens it."""

    def open_page(*arguments, **how):
        file = tmp_path / "page.html"
        subprocess.run([program, "trace", *arguments, "--html", file], capture_output=True, check=True)
        return open_file(file, **how)

    return open_page


def shown(value, unit):
    """The text of a value in a page."""
    if re.fullmatch(r"-?\d+", value) and unit != 1:
        value = f"{int(value) / unit:.2f}"
    return value.replace("inf", "∞").replace("-", "−")


def change(before, after, unit):
    """The text of a value before and after a step."""
    return shown(after, unit) if before == after else f"{shown(before, unit)} → {shown(after, unit)}"


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
        after = step.get("after") or step
        for name, letter in (("alpha", "α"), ("beta", "β")):
            assert facts[letter] == change(step[name], after[name], unit)
    outcomes = [fact for term, fact in rows if term == "Outcome"]
    tests = [fact for term, fact in rows if term == "Test"]
    assert len(outcomes) == len(tests) >= 1
    match step["step"]:
        case "enter":
            assert (facts["v"], outcomes) == (shown(step["v"], unit), ["no"])
        case "leaf":
            assert (facts["Value"], outcomes) == (shown(step["value"], unit), ["yes"])
        case "value":
            is_min = trace["perspective"] == "MAX" and step["player"] == "MIN"
            before = step["best_before"] or ("+inf" if is_min else "-inf")
            assert facts["v"] == change(before, step["value"] if step["is_best"] else before, unit)
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
    for number, panel in enumerate(press_and_read(page, "ArrowRight", last, READ_PANEL)):
        check_step(panel, trace, number)
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
        page = open_page(*TREE, position, "--beside", "minimax")
        page.keyboard.press("PageDown")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function("width => window.innerWidth === width", arg=width)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (position, width)
                assert page.evaluate(overlaps) == 0, (position, scheme, width)
                backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.emulate_media(media="print")
        assert not page.locator("#controls").is_visible() and page.locator(".tree svg").first.is_visible()
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


def test_methods_and_orders_of_a_panel_are_listed_in_plain_words(open_page):
    page = open_page(*TREE, "seven", "--order", "random", "--beside", "negamax/heuristic")
    labels = page.locator(".panel select").first.locator("option").all_text_contents()
    assert len(set(labels)) == len(METHODS) * len(ORDERS) + 2
    words = r"(Minimax|Alpha-beta|Memoised search)[A-Za-z, -]*; [a-z ]+( order| first)"
    assert [label for label in labels if not re.fullmatch(words, label)] == []
    assert "Alpha-beta, functions MAX and MIN, fail-soft; best moves first" in labels


def test_page_says_why_c_is_cut_and_where_a_cutoff_would_save_something(open_page):
    page = open_page(*TREE, "worked")
    page.get_by_role("button", name="Next cutoff").click()
    sentence = page.locator(".sentence").text_content()
    assert (
        "MAX has 3 already, by the move B at A. Here MIN holds MAX to 2, so MAX has no reason to come here." in sentence
    )
    assert sentence.endswith("H was the last move: this saves nothing.")
    assert "If H came first at C, G would not be looked at either." in page.locator(".cutoffs").text_content()
    page.get_by_role("button", name="Put H first").click()
    assert page.locator("#text").input_value() == "MAX A(B(E=3 F=12) C(H=2 G=8) D(I=4 J=6))"
    assert "C saves 1 node: G." in page.locator(".cutoffs").text_content()
    page.keyboard.press("End")
    assert "minimax visits 10: 1 saved" in page.locator(".totals").text_content()


def random_tree(rng, depth, name="n"):
    if depth == 0 or (name != "n" and rng.random() < 0.15):
        return f"{name}={rng.randint(-9, 9)}"
    estimate = f"={rng.randint(-9, 9)}" if rng.random() < 0.3 else ""
    children = [random_tree(rng, depth - 1, f"{name}{number}") for number in range(rng.randint(1, 4))]
    if not any("(" in child for child in children) and rng.random() < 0.3:
        children = [child.split("=")[1] for child in children]  # leaves without names
    if not estimate and rng.random() < 0.2:
        name = ""
    return f"{name}{estimate}({' '.join(children)})"


def test_search_in_the_page_equals_the_program_on_random_trees(program, open_page):
    rng = random.Random(1568)
    cases = []
    for _ in range(RANDOM_TREES):
        text = rng.choice(["MAX ", "MIN ", ""]) + random_tree(rng, rng.randint(1, 4))
        cases.append([text, rng.choice(METHODS), rng.choice(ORDERS), rng.choice([None, 1, 2, 3])])

    def trace_of(case):
        text, method, order, depth = case
        limit = ["--depth", str(depth)] if depth else []
        return trace_json(program, *TREE, text, "--method", method, "--order", order, "--limit", "10000", *limit)

    with ThreadPoolExecutor(4) as pool:
        traces = list(pool.map(trace_of, cases))
    page = open_page(*TREE, "worked")
    # As text, because Playwright takes seconds to read as many objects.
    search = "cases => JSON.stringify(cases.map(([text, ...rest]) => searchTree(parseTree(text), ...rest)))"
    found = json.loads(page.evaluate(search, cases))
    assert len(found) == RANDOM_TREES
    for case, here, there in zip(cases, found, traces):
        assert here == there, case
    examples = dict(page.evaluate("EXAMPLES"))
    for name, text in examples.items():
        assert trace_json(program, *TREE, name)["position"] == text


TREE_TEXTS = ("((3 12)(2 (9 1)))", "(1 (2))", "A(4 (5) 3)", "A(4(5) 3)", "MIN ((3 12) x(2 9))", "MIN(3 x(4))")
TREE_TEXTS += ("MIN\t(3\n12)", "max  (1 2)", "MAX  =1(A=2 B=3)", "A(B=+3 C(4 5))", "A(É=1 é=2)", "A=3(4 5)")


def test_trees_are_read_alike_by_the_program_the_page_and_the_referee(program, open_page):
    page = open_page(*TREE, "worked")
    for text in TREE_TEXTS:
        position = trace_json(program, *TREE, text)["position"]
        assert page.evaluate("text => treeText(parseTree(text))", text) == position
        assert RULES["gametree"].parse(text).text() == position


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
        "A(3 12)",
        "((3 12)(2 9))",
        "MIN ((3 12) b(2 9))",
        "(B(1)(2) C=1)",
        "()",
        "A(3\u3000 4)",
        "A(B=1 b=2)",
        "A(B(+3 -4) c=2 7)",
        "5",
        "A(3 20001)",
        "A(a2=1 5)",
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


def answer_questions(page, answers):
    """Answers the questions that stand on the page and returns what the page says to the answers."""
    fields = page.locator("#questions input, #questions select")
    assert fields.count() == len(answers)
    for index, answer in enumerate(answers):
        field = fields.nth(index)
        (field.select_option if answer in ("yes", "no") else field.fill)(answer)
    page.keyboard.press("Enter")
    return page.locator("#verdict").text_content()


def test_quiz_asks_before_a_step_and_counts_right_answers(open_page):
    page = open_page(*TREE, "((3 12)(2 9))")
    page.get_by_label("Hide leaves").check()
    values = page.locator(".node.unseen .value")
    assert set(values.all_text_contents()) == {"?"}
    page.locator("#quizzes").check()
    assert page.locator(".cutoffs").is_hidden()
    page.keyboard.press("ArrowRight")  # to B
    assert page.locator("#place").text_content() == "Step 1 of 12"
    assert page.locator("#questions").text_content() == "α at B β at B "
    assert answer_questions(page, ["-inf", "∞"]) == "Right. 2 of 2 answers are right."
    assert page.locator("#place").text_content() == "Step 2 of 12"
    page.keyboard.press("ArrowRight")  # the leaf b1, without a question
    assert page.locator("#place").text_content() == "Step 3 of 12"
    page.keyboard.press("ArrowRight")
    verdict = answer_questions(page, ["12", "no"])
    assert verdict == "Not right. v at B, now that b1 is known: 3. 3 of 4 answers are right."
    page.locator("#slider").fill("8")  # the leaf c1
    page.get_by_role("button", name="One step forward").click()
    assert answer_questions(page, ["2", "yes"]).startswith("Right.")
    assert page.locator(".sentence").text_content().startswith("C: c1 is worth 2, the first")
    page.keyboard.press("ArrowRight")
    assert page.locator(".sentence").text_content().startswith("Cutoff at C.")
    assert page.locator("#quiz").is_hidden()


def test_quiz_keeps_typed_answers_and_drops_the_question_of_another_tree(open_page):
    page = open_page(*TREE, "worked")
    page.locator("#quizzes").check()
    page.keyboard.press("ArrowRight")
    page.locator("#questions input").first.fill("７")
    page.get_by_role("button", name="One step forward").click()
    assert page.locator("#questions input").first.input_value() == "７"
    page.locator("#text").fill("((3 12)(2 9))")
    page.get_by_role("button", name="Search").click()
    assert page.locator("#quiz").is_hidden()
    page.keyboard.press("Tab")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    assert answer_questions(page, ["－∞", "inf"]) == "Right. 2 of 2 answers are right."


def test_values_of_won_games_are_plies_in_both_languages_and_no_question(open_page):
    page = open_page("--variant", "tictactoe", "--position", "PP1/pp1/3 w - - 0 1", "--depth", "2")
    page.keyboard.press("End")
    assert "win in 1" in page.locator(".totals").text_content()
    texts = page.evaluate("() => [shown('win in 3', 100), shown('loss in 12 >= beta 250', 100)]")
    assert texts == ["win in 3", "loss in 12 >= beta 2.50"]
    page.get_by_role("button", name="中文").click()
    assert "1步胜" in page.locator(".totals").text_content()
    reasons = page.evaluate(
        "() => state.panels[0].model.steps.filter(s => s.step === 'cutoff').map(s => sentence(state.panels[0].model, s))"
    )
    assert reasons and not any("already" in reason for reason in reasons), reasons
    questions = page.evaluate(
        "() => state.panels[0].model.steps.flatMap((_, k) => questionsAbout(state.panels[0].model, k))"
    )
    assert questions and not any("步" in answer for _, answer in questions), questions


def test_hidden_leaves_show_their_values_nowhere(open_page):
    page = open_page("--variant", "gametree", "--position", "A(B(E=7301 F=7302) C(G=7303 H=7304))")
    read = "() => document.body.innerText + [...document.querySelectorAll('svg')].map(svg => svg.textContent)"
    assert "7304" in page.evaluate(read)
    page.locator("#hides-leaves").check()
    assert page.locator("#subject").text_content() == "gametree: MAX A(B(E=? F=?) C(G=? H=?))"
    assert page.locator("#text").is_hidden()
    assert "730" not in page.evaluate(read)
    page.locator("#hides-leaves").uncheck()
    assert page.locator("#subject").text_content() == "gametree: MAX A(B(E=7301 F=7302) C(G=7303 H=7304))"
    assert page.locator("#text").is_visible()


def test_change_of_language_keeps_scale_and_view(open_page):
    page = open_page("--variant", "tictactoe", "--position", "PPp/1p1/3 w - - 0 1", "--depth", "4", width=700)
    for _ in range(3):
        page.get_by_role("button", name="Larger").click()
    view = """() => { const { zoom, box } = state.panels[0]; return [zoom, box.scrollLeft, box.scrollTop]; }"""
    page.evaluate("() => { const { box } = state.panels[0]; box.scrollLeft = 333; box.scrollTop = 77; }")
    before = page.evaluate(view)
    assert before[1:] == [333, 77]
    page.get_by_role("button", name="中文").click()
    assert page.evaluate(view) == before
    assert page.locator("#language").get_attribute("lang") == "en"


LATIN_WORD = re.compile(r"(?<![A-Za-z])[a-z]{3,}")
"""A word that is no name of the program: in the Chinese page only the names of algorithms may be left."""


def heading_after_reload(page):
    page.reload()
    return page.locator("h1").text_content()


def test_page_is_chinese_on_request_and_stays_so(open_page):
    page = open_page(*TREE, "seven")
    page.get_by_role("button", name="中文").click()
    sentences = press_and_read(page, "ArrowRight", 13, "() => document.querySelector('.sentence').textContent")
    assert sentences[0] == "A：轮到 MAX 走。v 从最差的值 −∞ 开始。"
    assert sentences[-1] == "A：C 的值至多为 2，不比 7 好。"
    cutoff = next(sentence for sentence in sentences if "剪枝" in sentence)
    assert (
        cutoff
        == "在 C 剪枝。MAX 已能得到 7（在 A 走 B）。此处 MIN 使 MAX 只得 2，所以 MAX 不会走到这里。不再搜索：H、I、J。"
    )
    texts = page.evaluate(
        "() => [...document.querySelectorAll('nav, .panel, #own, main > section')].map(e => e.innerText).join(' ')"
    )
    words = set(LATIN_WORD.findall(re.sub(r"function.*?\n\n|function.*", "", texts, flags=re.DOTALL)))
    assert words <= {"alpha", "beta", "fail", "hard", "soft", "inf", "worked", "seven", "bags"}, words
    wait_for(lambda: heading_after_reload(page) == "逐步看搜索")
    assert page.title() == "逐步看搜索：gametree"
    page.get_by_role("button", name="English").click()
    assert page.locator("h1").text_content() == "A search step by step"
    assert page.get_by_text("怎样看图").count() == 0


@pytest.mark.parametrize("method", METHODS)
def test_all_reasons_of_cutoffs_are_known_in_chinese(open_page, method):
    page = open_page(*TREE, "((3 12 8)(2 4 6)(14 5 2)(9 (1 7)(8 3)))", "--method", method)
    page.get_by_role("button", name="中文").click()
    reasons = page.evaluate(
        "() => state.panels[0].model.steps.filter(s => s.step === 'cutoff').map(s => sentence(state.panels[0].model, s))"
    )
    assert bool(reasons) == (method not in ("minimax", "minimax-typed", "negamax", "memoised"))
    assert not any("already" in reason or "no reason" in reason for reason in reasons), reasons


def test_reader_types_a_textbook_tree_by_keyboard(program, open_page):
    page = open_page(*TREE, "worked")
    page.locator("#text").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("((3 12 8)(2 4 6)(14 5 2))")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("PageDown")
    assert page.locator(".sentence").text_content().startswith("Cutoff at C. MAX has 3 already, by the move B at A")
    cutoffs = page.locator(".cutoffs li")
    assert cutoffs.nth(0).text_content() == "C saves 2 nodes: c2, c3."
    assert "If d3 came first at D, d1, d2 would not be looked at either." in cutoffs.nth(1).text_content()
    page.get_by_role("button", name="Put d3 first").focus()
    page.keyboard.press("Enter")
    assert cutoffs.nth(1).text_content() == "D saves 2 nodes: d1, d2."
    page.keyboard.press("End")
    assert "minimax visits 13: 4 saved" in page.locator(".totals").text_content()
    assert trace_json(program, *TREE, page.locator("#text").input_value())["minimax_nodes"] == 13


def test_colours_of_text_have_contrast():
    def luminance(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    style = (ROOT / "src/tools/pages/style.css").read_text(encoding="utf-8")
    light, dark = (
        dict(re.findall(r"--(\w[\w-]*): (#\w{6});", block))
        for block in re.findall(r"\{([^{}]*--ink[^{}]*)\}", style)[:2]
    )
    for colours in (light, dark):
        for ink in ("ink", "soft", "accent", "cut", "good", "doubt"):
            for paper in ("page", "panel", *["mark", "max", "min", "accent-soft"] * (ink == "ink")):
                high, low = sorted((luminance(colours[ink]), luminance(colours[paper])), reverse=True)
                assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, paper)


# ---- duiyi analyse --html ----

HOSTILE = "</script><script>document.title = 'owned'</script><b>{{data}}"
GAMES = f"""[Event "Test"]
[White "{HOSTILE}"]
[Black "Two"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1

[White "Two"]
[Black "One"]
[FEN "8/8/8/4k3/8/8/4P3/4K2R b - - 0 9"]

9... Kd4 10. Rh4+ Ke3 11. Rh3+ *
"""
MARKS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
SIGNS = {"white": 1, "black": -1}


@pytest.fixture(scope="module")
def analyse(program, tmp_path_factory):
    """Returns a function that analyses games. It returns the file of the page, and each game's review with its records."""

    def analyse(text, *arguments):
        folder = tmp_path_factory.mktemp("games")
        (folder / "games.pgn").write_text(text)
        command = [program, "analyse", folder / "games.pgn", "--json", "--html", folder / "page.html", *arguments]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        documents = [json.loads(line) for line in output.splitlines()]
        reviews = [document for document in documents if "positions" in document]
        records = [document for document in documents if "lines" in document]
        games = [(review, [record for record in records if record["game"] == review["game"]]) for review in reviews]
        return folder / "page.html", games

    return analyse


@pytest.fixture(scope="module")
def analysed(analyse):
    return analyse(GAMES, "--depth", "4", "--multipv", "2")


def score_text(score, side):
    """The text of a chess score for White in a page."""
    if "mate" in score:
        return "#" if score["mate"] == 0 else f"#{SIGNS[side] * score['mate']}".replace("-", "−")
    text = f"{SIGNS[side] * score['cp'] / 100:+.2f}".replace("-", "−")
    return text.removeprefix("+") if score["cp"] == 0 else text


READ_GAME = """() => ({
    place: document.getElementById("place").textContent,
    sentence: document.getElementById("sentence").textContent,
    facts: Object.fromEntries([...document.querySelectorAll("#facts dt")].map(
        term => [term.textContent, term.nextSibling.textContent])),
    scores: [...document.querySelectorAll("#lines li b")].map(score => score.textContent),
    lines: [...document.querySelectorAll("#lines li")].map(line => line.lastChild.textContent),
    current: document.querySelector("#moves li[aria-current]")?.dataset.ply,
    arrows: [...document.querySelectorAll("#board .move:not(.head)")].map(arrow => arrow.classList[1]),
    board: document.querySelector("#board svg")?.getAttribute("aria-label"),
    address: location.hash,
})"""


def percent(value):
    """As toFixed of JavaScript writes it, which rounds halves up."""
    return f"{Decimal(100 * value).quantize(Decimal('0.1'), ROUND_HALF_UP)} %"


def check_position(shown, game, ply):
    review, records = game
    position, record = review["positions"][ply], records[ply]
    assert shown["board"] == f"Position {record['position']}"
    assert shown["address"] == f"#{review['game']}.{ply}"
    score = record["lines"][0]["score"]
    assert shown["facts"].get("Score") == (None if score.get("mate") == 0 else score_text(score, position["side"]))
    assert shown["facts"]["White expects"] == percent(position["expected"])
    lines = [line for line in record["lines"] if line["pv"]]
    assert shown["scores"] == [score_text(line["score"], position["side"]) for line in lines]
    assert [re.sub(r"\d+[.…] ", "", text).split() for text in shown["lines"]] == [line["pv"] for line in lines]
    if "move" not in position:
        assert shown["place"] == f"End, {ply} moves" and shown["current"] is None
        return
    dots = "." if position["side"] == "white" else "…"
    assert shown["place"] == f"{position['number']}{dots} {record['played']}"
    assert shown["current"] == str(ply)
    is_best = record["played"] == record["best"]
    assert shown["arrows"] == (["best"] if is_best else ["played", "best"])
    assert shown["sentence"].endswith("is the best move." if is_best else f"The search prefers {record['best']}.")
    if position["mark"]:
        assert f"({MARKS[position['mark']]})" in shown["sentence"]
        assert percent(position["expected_lost"]) in shown["sentence"]


def test_every_move_of_an_analysed_game_equals_the_records(open_file, analysed):
    file, games = analysed
    page = open_file(file)
    assert page.title() == "Analysis of games.pgn"
    last = len(games[0][1]) - 1
    for ply, shown in enumerate(press_and_read(page, "ArrowRight", last + 1, READ_GAME)):
        check_position(shown, games[0], min(ply, last))
    page.locator("#slider").fill("3")
    check_position(page.evaluate(READ_GAME), games[0], 3)
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    check_position(page.evaluate(READ_GAME), games[0], 1)
    page.locator("#moves button").nth(6).click()
    check_position(page.evaluate(READ_GAME), games[0], 6)
    box = page.locator("#graph svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 13, box["y"] + 50)
    check_position(page.evaluate(READ_GAME), games[0], last)
    before = page.locator("#board .coordinate").all_text_contents()
    page.keyboard.press("f")
    assert page.locator("#board text.coordinate").first.get_attribute("y") != "29"
    assert page.locator("#board .coordinate").all_text_contents() == before
    page.keyboard.press("l")
    assert page.locator("#lines").get_attribute("open") is None
    page.locator("#games a").nth(1).click()
    # The event of a new address comes after the click.
    page.wait_for_function(f"text => ({READ_GAME})().board === text", arg=f"Position {games[1][1][0]['position']}")
    check_position(page.evaluate(READ_GAME), games[1], 0)
    page.keyboard.press("End")
    check_position(page.evaluate(READ_GAME), games[1], len(games[1][1]) - 1)
    page.locator("#game").select_option("0")
    check_position(page.evaluate(READ_GAME), games[0], 0)
    check_position(open_file(file, address="#2.2").evaluate(READ_GAME), games[1], 2)


def test_marked_moves_accuracy_and_opening_equal_the_review(open_file, analysed):
    file, ((review, records), *_) = analysed
    page = open_file(file)
    assert page.locator("#name").text_content() == f"{HOSTILE} – Two, 0-1"
    assert page.locator("b").filter(has_text="{{data}}").locator("b").count() == 0
    assert page.locator("#opening").text_content().startswith(f"{review['opening']['eco']} {review['opening']['name']}")
    for threshold in ("0.025", "0.05", "0.1", "0.15", "0"):
        page.locator("#threshold").select_option(threshold)
        plies = [
            ply
            for ply, position in enumerate(review["positions"])
            if "move" in position and position["expected_lost"] >= float(threshold)
        ]
        shown = page.locator("#moves li").evaluate_all("items => items.map(item => Number(item.dataset.ply))")
        assert shown == plies and (plies or threshold == "0.15")
    marks = [MARKS[position["mark"]] for position in review["positions"] if position.get("mark")]
    assert [mark for mark in page.locator("#moves li b").all_text_contents() if mark] == marks
    assert page.locator("#graph .dot").count() == len(marks) > 0
    page.locator("#threshold").select_option("0.05")
    page.keyboard.press("PageDown")
    first = next(ply for ply, position in enumerate(review["positions"]) if position.get("mark"))
    check_position(page.evaluate(READ_GAME), (review, records), first)
    rows = [row.split("\t") for row in page.locator("#players tbody tr").all_inner_texts()]
    expected = []
    for player in review["players"]:
        for name, totals in [(player["name"], player), *((f"in the {p}", t) for p, t in player["phases"].items())]:
            accuracy, loss = (totals[field] / totals["moves"] for field in ("accuracy_sum", "centipawn_loss"))
            marks = [str(count) for count in totals["marks"]]
            lost = 100 * totals["expected_lost"] / totals["moves"]
            expected.append([name, str(totals["moves"]), f"{accuracy:.1f} %", f"{loss:.1f}", f"{lost:.2f} %", *marks])
    assert [row[0] for row in rows] == [row[0] for row in expected]
    for row, other in zip(rows, expected):
        for cell, number in zip(row[1:], other[1:]):
            assert float(cell.rstrip(" %")) == pytest.approx(float(number.rstrip(" %")), abs=0.11), (row, other)


def test_game_is_shown_once_the_browser_has_read_it(open_file, analysed):
    file, games = analysed
    page = open_file(file)
    page.evaluate(
        "() => { window.part = document.getElementsByClassName('part')[1]; part.remove(); chooseGame(1, 1); }"
    )
    page.keyboard.press("ArrowRight")
    check_position(page.evaluate(READ_GAME), games[0], 1)
    page.evaluate("() => document.body.append(part)")
    page.wait_for_function(f"text => ({READ_GAME})().board === text", arg=f"Position {games[1][1][1]['position']}")
    page.keyboard.press("End")
    page.wait_for_timeout(100)  # Nothing that still waits changes the position.
    check_position(page.evaluate(READ_GAME), games[1], len(games[1][1]) - 1)


@pytest.mark.parametrize(
    "variant, moves, shapes, counts",
    [
        ("tictactoe", "1. P@b2 P@a1 2. P@b1 P@b3", "#board .cross, #board .ring:not(.move)", range(5)),
        ("cfour", "1. P@d1 P@d2 2. P@a1", "#board .disc", range(5)),
        ("gomokufreestyle", "1. P@h8 P@i9 2. P@o15", "#board .disc", range(5)),
        ("go", "1. d4 j9 2. pass e5", "#board .disc", (0, 1, 2, 2, 3)),
        ("trianglewar", "1. 1-2 2-3", "#board .line", range(5)),
        ("xiangqi", "1. h3e3 h10g8 2. e3e7", "#board .letter", (32, 32, 32, 31)),
    ],
)
def test_games_have_their_boards(open_file, analyse, variant, moves, shapes, counts):
    file, (game,) = analyse(f'[Variant "{variant}"]\n\n{moves} *\n', "--variant", variant, "--depth", "2")
    page = open_file(file)
    for ply, (position, record) in enumerate(zip(game[0]["positions"], game[1])):
        shown = page.evaluate(READ_GAME)
        assert shown["board"] == f"Position {record['position']}"
        assert ("Red expects" if variant == "xiangqi" else "expects") in " ".join(shown["facts"])
        assert page.locator(shapes).count() == counts[ply]
        if "move" in position:
            # A pass has no arrow.
            moves = {position["move"]: "played"} | {position["best_move"]: "best"}
            kinds = [kind for move, kind in moves.items() if move != "pass"]
            assert page.evaluate(READ_GAME)["arrows"] == kinds
        page.keyboard.press("ArrowRight")


def test_analysis_of_xiangqi_is_chinese_on_request(open_file, analyse):
    tags = "".join(
        f'[{name} "{value}"]\n' for name, value in (("White", "甲"), ("Black", "乙"), ("Variant", "xiangqi"))
    )
    file, _ = analyse(f"{tags}\n1. h3e3 h10g8 2. e3e7 1-0\n", "--variant", "xiangqi", "--depth", "3")
    page = open_file(file)
    page.get_by_role("button", name="中文").click()
    assert page.locator("#moves li button").first.text_content().startswith("1.炮二平五")
    page.keyboard.press("End")
    assert page.locator("#sentence").text_content() == "对局结束：1-0。"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#place").text_content() == "2. 炮五进四"
    assert page.title().startswith("分析：") and page.locator("#board svg").get_attribute("aria-label").startswith(
        "局面 "
    )
    assert "红方期望得分" in page.locator("#facts dt").all_text_contents()
    text = page.evaluate("() => document.querySelector('main').innerText + document.querySelector('header').innerText")
    assert set(LATIN_WORD.findall(text.replace("games.pgn", ""))) <= {"xiangqi"}
    page.get_by_role("button", name="English").click()
    assert page.locator("#place").text_content() == "2. C5+4"


def test_game_tree_is_shown_as_text(open_file, analyse):
    file, (game,) = analyse('[Variant "gametree"]\n\n1. D I *\n', "--variant", "gametree")
    page = open_file(file)
    assert page.locator("#board pre").text_content() == game[1][0]["position"]
    assert page.locator("#sentence").text_content() == "1. D is the best move."


# ---- search_log.py --html ----

SCRIPT = Path(__file__).resolve().parents[1] / "search_log.py"
OPENING = ["e2e4", "e7e5", "g1f3", "b8c6"]


@pytest.fixture(scope="module")
def log_page(program, tmp_path_factory):
    """The page of the logs of two engines that play four moves, and the lines of their logs."""
    folder = tmp_path_factory.mktemp("logs")
    logs = [folder / "new.jsonl", folder / "old.jsonl"]
    for number, log in enumerate(logs):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen([program, "--search-log", log], **pipes) as process:
            for ply in range(number, 5, 2):
                moves = " ".join(OPENING[:ply])
                process.stdin.write(f"position startpos moves {moves}\ngo depth {7 - number}\n")
                process.stdin.flush()
                while not process.stdout.readline().startswith("bestmove"):
                    assert process.poll() is None
            process.stdin.write("quit\n")
            process.stdin.flush()
            assert process.wait(20) == 0
    command = [sys.executable, SCRIPT, *logs, "--html", folder / "page.html"]
    subprocess.run(command, capture_output=True, check=True)
    return folder / "page.html", [json.loads(line) for log in logs for line in log.read_text().splitlines()[1:]]


def test_every_search_of_a_log_equals_its_lines(open_file, log_page):
    file, lines = log_page
    page = open_file(file)
    assert page.locator("#subject").text_content() == "1 game, 5 moves, engines new, old"
    chosen = [line for line in lines if "bestmove" in line]
    for line in sorted(chosen, key=lambda line: fen_ply(line["position"])):
        assert page.locator("#place").text_content().split()[1:] == san_moves(line["position"], [line["bestmove"]])
        assert page.locator("#board svg").get_attribute("aria-label") == f"Position {line['position']}"
        of_search = [
            other for other in lines if other["position"] == line["position"] and other.get("bound") == "exact"
        ]
        by_depth = {other["depth"]: other for other in of_search}
        rows = [row.split("\t") for row in page.locator("#iterations tbody tr").all_inner_texts()]
        assert [int(row[0]) for row in rows] == list(by_depth)
        for row, other in zip(rows, by_depth.values()):
            assert [row[1], row[3].replace(",", ""), row[7]] == [
                str(other["seldepth"]),
                str(other["nodes"]),
                " ".join(san_moves(other["position"], other["pv"])),
            ]
        moves = [other["pv"][0] for other in by_depth.values()]
        changes = sum(before != after for before, after in zip(moves, moves[1:]))
        assert page.locator("#iterations strong").count() == changes
        assert f"{line['nodes']:,} nodes" in page.locator("#sentence").text_content()
        assert page.locator("#board .move.best").count() == 2
        page.keyboard.press("ArrowRight")
    page.locator("#slider").fill("0")
    assert page.locator("#place").text_content().startswith("1. ")
    for chart in ("depth-time", "depth-nodes", "growth", "changed", "scores", "depth", "nodes", "times"):
        assert page.locator(f"#{chart} g.series .line[d^=M]").count() == 2, chart
    page.locator("summary", has_text="Moves").click()
    page.locator("#moves tbody tr").nth(3).click()
    assert page.locator("#place").text_content().startswith("2... ")
    assert open_file(file, address="#1.3").locator("#place").text_content().startswith("2. ")


def san_moves(fen, moves):
    board = chess.Board(fen)
    return [board.san_and_push(board.parse_uci(move)) for move in moves]


def fen_ply(fen):
    fields = fen.split()
    return 2 * int(fields[5]) + (fields[1] == "b")


def test_page_of_a_log_is_chinese_on_request(open_file, log_page):
    page = open_file(log_page[0])
    before = page.locator("#engines tbody").text_content()
    page.get_by_role("button", name="中文").click()
    assert page.locator("#engines tbody").text_content() == before, "names of engines stay"
    page.evaluate("() => document.querySelectorAll('details').forEach(details => { details.open = true; })")
    text = page.evaluate("() => document.body.innerText")
    names = set(LATIN_WORD.findall(before)) | set(LATIN_WORD.findall(page.title()))
    words = {word for word in LATIN_WORD.findall(text) if not re.fullmatch("[a-h]x[a-h]", word)}
    assert words <= names, words
    page.get_by_role("button", name="English").click()
    assert page.get_by_role("heading", name="All searches").count() == 1


@pytest.mark.parametrize("kind", ["analysis", "log"])
def test_pages_of_games_and_logs_fit_every_width_in_dark_and_light(open_file, analysed, log_page, kind):
    file = analysed[0] if kind == "analysis" else log_page[0]
    page = open_file(file)
    page.keyboard.press("ArrowRight")
    backgrounds = set()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("width => window.innerWidth === width", arg=width)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (scheme, width)
            sizes = page.locator(".chart, svg.position").evaluate_all(
                "all => all.map(one => one.getBoundingClientRect().right)"
            )
            assert sizes and max(sizes) <= width
            backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    page.emulate_media(media="print")
    assert not page.locator("#controls").is_visible() and page.locator("#board svg").is_visible()
    assert len(backgrounds) == 2


NOTE_FOCUS = """() => {
    const candidates = document.querySelectorAll("button, select, textarea, input, a[href], summary, [tabindex='0']");
    window.controls = [...candidates].filter(one => one.checkVisibility() && !(one.type === "radio" && !one.checked));
    window.outlines = new Map();
    document.addEventListener("focusin", event => outlines.set(event.target, getComputedStyle(event.target).outlineStyle));
    return controls.length;
}"""


@pytest.mark.parametrize("kind", ["trace", "analysis", "log"])
def test_tab_key_reaches_every_control(request, open_file, open_page, kind):
    if kind == "trace":
        page = open_page(*TREE, "worked", "--beside", "minimax")
    else:
        page = open_file(request.getfixturevalue("analysed" if kind == "analysis" else "log_page")[0])
    count = page.evaluate(NOTE_FOCUS)
    for _ in range(count + 3):  # Boxes that scroll may get the focus too.
        page.keyboard.press("Tab")
    outlines = page.evaluate(
        "() => controls.map(one => [one.outerHTML.slice(0, 80), outlines.get(one) ?? 'not reached'])"
    )
    assert count >= 9 and [one for one in outlines if one[1] in ("not reached", "none")] == []
