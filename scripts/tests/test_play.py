"""The play page (`make play`) in headless Chromium: games by clicks and keys, compared with the program's rules."""

import json
import os
import re
import shutil
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from firefox import Firefox

import play_page
from conftest import ROOT, variants_of

TARGET = "wasm32-unknown-unknown"
GOMOKU = ["gomoku", "gomokufreestyle", "gomoku20", "gomokufreestyle20", "renju"]
VARIANTS = ["chess", "xiangqi", *GOMOKU, "cfour", "tictactoe", "tictactoe4", "trianglewar", "gametree", "go", "smallgo"]
WIDTHS = (320, 768, 1440)
WAIT_SECONDS = 120
"""Long, because the machine may be busy."""
MAX_PLIES = 200
BENCH_DEPTH = 7
FIREFOX = shutil.which("firefox-esr")


def has_target():
    """Whether Rust can build for WebAssembly here."""
    try:
        run = subprocess.run(["rustup", "target", "list", "--installed"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return TARGET in run.stdout.split()


pytestmark = pytest.mark.skipif(not has_target(), reason=f"needs Rust's target: rustup target add {TARGET}")


@pytest.fixture(scope="session")
def page_file():
    """Builds the page with the profile for tests and returns its file."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    page = target / "play-test.html"
    make = ["make", "play", "WASM_PROFILE=web-test", f"PAGE={page}"]
    subprocess.run(make, cwd=ROOT, capture_output=True, check=True)
    return page


@pytest.fixture
def open_play(browser, page_file):
    """Returns a function that opens the page in a new window. Messages on the console and requests are errors at the end."""
    faults, contexts = [], []

    def note_request(request):
        if request.url.split("#")[0] not in (page_file.as_uri(), "about:blank") and not request.url.startswith("blob:"):
            faults.append(request.url)

    def open_play(width=1280, scheme="light", language="en-US", touch=False):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, locale=language, has_touch=touch
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", note_request)
        page.goto(page_file.as_uri())
        wait(page, "document.body.dataset.ready === 'true'")
        page.evaluate("moveTime = 0")
        return page

    open_play.faults = faults
    yield open_play
    for context in contexts:
        context.close()
    assert faults == []


def wait(page, condition):
    """Waits until a condition of the page's own script holds. The page's policy forbids the driver's way, which needs eval."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"waited {WAIT_SECONDS} s for {condition}"
        time.sleep(0.02)


def wait_for_turn(page):
    wait(page, "game.isOver || !game.isEngine(game.state.side)")


CELL_PLACES = """cells => {
    const matrix = document.querySelector("#board svg").getScreenCTM();
    return cells.map(cell => new DOMPoint(...board.grid.center(...cell)).matrixTransform(matrix)).map(({ x, y }) => [x, y]);
}"""


def click_move(page, move):
    """Plays a move by clicks on the board, as a reader does."""
    kind = page.evaluate("board.kind")
    if kind == "tree":
        page.locator("#board button", has_text=re.compile(f"^{re.escape(move)}$")).click()
    elif kind == "triangle":
        page.locator(f'#board .hit[data-move="{move}"]').evaluate("""line => {
            const box = line.getBoundingClientRect();
            const how = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, button: 0 };
            line.dispatchEvent(new PointerEvent("pointerdown", how));
        }""")
    else:
        cells = page.evaluate("move => moveCells(move, board.rows, board.view.variant)", move)
        if not cells:
            page.locator("#off-board button").click()
        for x, y in page.evaluate(CELL_PLACES, cells):
            page.mouse.click(x, y)
        if page.evaluate("document.querySelector('#asking[open]') !== null"):
            page.evaluate("document.querySelector('#answers button').click()")


def native(program, variant, *lines):
    """The output of the program for these lines, in a game."""
    command = [program, f"setoption name UCI_Variant value {variant}", *lines]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def position_line(state):
    moves = " ".join(move["move"] for move in state["played"])
    return f"position fen {state['start']} moves {moves}"


def check_state(program, state):
    """Compares the legal moves and the result in the page with the program's. Returns the program's best move."""
    limit = "go nodes 1000" if state["moves"] else "d"
    output = native(program, state["variant"], position_line(state), "go perft 1", "d", limit)
    legal = sorted(re.findall(r"^(\S+): 1$", output, re.MULTILINE))
    result = re.search(r"^Result: (.*)$", output, re.MULTILINE)
    assert (state["result"] is not None) == (result is not None)
    if result is None:
        assert sorted(move["move"] for move in state["moves"]) == legal
        return re.search(r"^bestmove (\S+)", output, re.MULTILINE)[1]
    assert state["moves"] == []
    reason = re.search(r" \((.*)\)$", result[1])
    assert state["result"]["reason"] == (reason and reason[1])
    return None


def choose(page, name, value):
    """Chooses a value, and leaves a game that is being played."""
    page.locator(f"#{name}").select_option(value)
    if page.evaluate("byId('asking').open"):
        page.locator("#answers button").first.click()


def start_game(page, variant, level="0"):
    choose(page, "variant", variant)
    choose(page, "level", level)


def test_engine_imports_four_functions(page_file):
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    module = (target / TARGET / "web-test" / "duiyi.wasm").read_bytes()
    assert sorted(play_page.imports(module)) == ["host.failed", "host.now", "host.poll", "host.reply"]
    assert page_file.stat().st_size < 8_000_000


def test_engine_with_other_imports_makes_no_page(tmp_path):
    module = tmp_path / "other.wasm"
    module.write_bytes(b"\0asm\1\0\0\0" + b"\1\4\1\x60\0\0" + b"\2\x0c\1\3env\4time\0\0")
    run = subprocess.run(
        [ROOT / "scripts/play_page.py", module, "--out", tmp_path / "page.html"], capture_output=True, text=True
    )
    assert run.returncode == 1 and not (tmp_path / "page.html").exists()
    assert run.stderr.splitlines() == [
        "the engine: expected the imports host.failed, host.now, host.poll, host.reply, found env.time, no page written"
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_game_by_clicks(program, open_play, variant):
    page = open_play()
    assert sorted(page.evaluate("variants")) == sorted(variants_of(program)) == sorted(VARIANTS)
    start_game(page, variant)
    has_taken_back = variant == "gametree"  # Its games have two moves.
    for _ in range(MAX_PLIES):
        wait_for_turn(page)
        state = page.evaluate("game.state")
        best = check_state(program, state)
        if best is None:
            break
        if not has_taken_back and len(state["played"]) >= 2:  # Two passes may end a game of Go at its next move.
            has_taken_back = True
            page.locator("[data-go=takeBack]").click()
            assert page.evaluate("game.moves.length") < len(state["played"])
            assert page.evaluate("game.state.side") == 0
            continue
        click_move(page, best)
        assert page.evaluate("game.moves.length") > len(state["played"])
    assert page.evaluate("game.isOver") and has_taken_back
    assert page.locator("#status").text_content() == page.evaluate("statusText(game)")
    assert page.locator("#moves > :not(.variation) button").count() == page.evaluate("game.moves.length")


CHOOSE = """([id, value]) => {
    const list = document.getElementById(id);
    list.value = value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
}"""


@pytest.mark.skipif(FIREFOX is None, reason="needs Firefox (Debian package firefox-esr)")
@pytest.mark.parametrize("variant", ["chess", "cfour"])
def test_whole_game_in_firefox(program, page_file, tmp_path, variant):
    with closing(Firefox(FIREFOX, tmp_path)) as page:
        page.goto(page_file.as_uri())
        wait(page, "document.body.dataset.ready === 'true'")
        page.evaluate("moveTime = 0")
        for choice in (["variant", variant], ["level", "0"]):
            page.evaluate(CHOOSE, choice)
        while not page.evaluate("game.isOver") and page.evaluate("game.moves.length") < MAX_PLIES:
            wait_for_turn(page)
            best = check_state(program, page.evaluate("game.state"))
            if best is not None:
                click_move(page, best)
        assert page.evaluate("game.isOver")


def test_moves_by_keys(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    page.locator("#board").focus()
    # The cursor begins at e4: down to e2, choose, up to e4, choose.
    for key in ("ArrowUp", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    assert page.locator("#spoken").text_content() == "e4, empty, can go here"
    page.keyboard.press("Enter")
    assert page.evaluate("game.moves") == ["e2e4"]
    choose(page, "variant", "cfour")
    page.locator("#board").focus()
    for key in ("ArrowLeft", "Enter", "ArrowRight", "Enter", "Escape"):
        page.keyboard.press(key)
    assert page.evaluate("game.moves") == ["P@d1", "P@e1"]
    choose(page, "variant", "trianglewar")
    page.locator("#board").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert page.evaluate("game.moves") == [page.evaluate("game.rules.ask({ variant: 'trianglewar' }).moves[1].move")]


def test_promotion_offers_the_pieces(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    page.evaluate("begin('chess', '8/P6k/8/8/8/8/8/K7 w - - 0 1')")
    for x, y in page.evaluate(CELL_PLACES, [[1, 0], [0, 0]]):
        page.mouse.click(x, y)
    labels = page.locator("#answers button").evaluate_all("buttons => buttons.map(button => button.title)")
    assert sorted(labels[:-1]) == ["White bishop", "White knight", "White queen", "White rook"]
    page.locator("#answers button[title='White knight']").click()
    assert page.evaluate("game.moves") == ["a7a8n"]


def test_chess960_castles_by_a_click_on_the_rook(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    page.locator("#random-start").click()
    assert page.evaluate("game.position") in page.evaluate(
        "Array.from({ length: 960 }, (_, index) => rules.ask({ variant: 'chess', number: index + 1 }).start)"
    )
    page.evaluate("begin('chess', rules.ask({ variant: 'chess', number: 4 }).start)")
    click_move(page, "f1g1")
    assert page.evaluate("game.state.played[0].text") == "O-O"
    choose(page, "variant", "xiangqi")
    assert page.locator("#random-start").is_hidden()


def test_piece_is_dragged(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    (from_x, from_y), (to_x, to_y) = page.evaluate(CELL_PLACES, [[7, 6], [5, 5]])
    page.mouse.move(from_x, from_y)
    page.mouse.down()
    page.mouse.move(to_x, to_y, steps=4)
    page.mouse.up()
    assert page.evaluate("game.moves") == ["g1f3"]


def test_small_cells_are_aimed_at_first(open_play):
    page = open_play(width=320, touch=True)
    choose(page, "variant", "gomoku")
    choose(page, "opponent", "none")
    ((x, y),) = page.evaluate(CELL_PLACES, [[7, 7]])
    page.touchscreen.tap(x, y)
    assert page.evaluate("[game.moves, board.cursor]") == [[], [7, 7]]
    page.touchscreen.tap(x, y)
    assert page.evaluate("game.moves") == ["P@h8"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_bench_nodes_equal_the_program(program, open_play, variant):
    page = open_play()
    nodes = re.compile(r"^(\d+) nodes \d+ nps$", re.MULTILINE)
    replies = page.evaluate(
        """async ([variant, depth]) => {
            engine.setOption("UCI_Variant", variant);
            return (await engine.run(`bench ${depth}`, line => /^\\d+ nodes \\d+ nps$/.test(line))).join("\\n");
        }""",
        [variant, BENCH_DEPTH],
    )
    assert nodes.findall(replies) == nodes.findall(native(program, variant, f"bench {BENCH_DEPTH}"))


def test_reload_keeps_the_game(open_play):
    page = open_play()
    start_game(page, "xiangqi")
    click_move(page, "h3e3")
    wait(page, "game.moves.length === 2")
    choose(page, "level", "2")
    kept = "[game.variant, game.moves, game.settings.level, byId('variant').value, byId('level').value]"
    before = page.evaluate(kept)
    page.reload()
    wait(page, "document.body.dataset.ready === 'true'")
    assert page.evaluate(kept) == before


def test_link_leads_to_a_position(open_play, page_file):
    page = open_play()
    choose(page, "variant", "xiangqi")
    choose(page, "opponent", "none")
    click_move(page, "h3e3")
    link, position = page.evaluate("[game.link, game.viewed.position]")
    page.goto("about:blank")
    page.goto(page_file.as_uri() + link)
    wait(page, "document.body.dataset.ready === 'true'")
    assert page.evaluate("[game.variant, game.position, game.moves]") == ["xiangqi", position, []]
    click_move(page, "h10g8")
    page.reload()
    wait(page, "document.body.dataset.ready === 'true'")
    assert page.evaluate("[game.variant, game.position, game.moves]") == ["xiangqi", position, ["h10g8"]]
    for link, reason in (
        ("#chess/nothing", "FEN: expected"),
        ("#chess/%zz", "URI malformed"),
        ("#nogame/x", "expected chess"),
    ):
        page.goto(page_file.as_uri() + link)
        wait(page, "location.hash === ''")
        assert page.locator("#failure").text_content().startswith(f"The link leads to no position: {reason}")
        assert page.evaluate("[game.variant, game.moves]") == ["xiangqi", ["h10g8"]]
        page.reload()
        wait(page, "document.body.dataset.ready === 'true'")


def test_loaded_position_waits_for_the_reader(open_play, page_file):
    page = open_play()
    choose(page, "opponent", "both")
    wait(page, "game.moves.length >= 2")
    black_to_move = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    page.evaluate("text => { byId('exchange').value = text; load(); }", black_to_move)
    assert page.locator("#status").text_content() == "Your move: Black." and page.evaluate("game.isFlipped")
    page.goto("about:blank")
    page.goto(f"{page_file.as_uri()}#chess/{black_to_move.replace(' ', '%20')}")
    wait(page, "document.body.dataset.ready === 'true'")
    assert page.locator("#status").text_content() == "Your move: Black."
    page.evaluate("text => { byId('exchange').value = text; load(); }", "1. e4 e5 2. Nf3 1-0\n\n1. d4 d5 *")
    assert page.locator("#exchange-note").text_content() == "Loaded. The record has 2 games; this is the first."
    assert page.evaluate("game.moves.length") == 3
    click_move(page, "b8c6")
    wait(page, "game.moves.length === 5")


def test_game_that_is_played_is_left_only_after_a_question(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    page.evaluate("['e2e4', 'e7e5'].forEach(playMove)")
    page.locator("[data-go=newGame]").click()
    page.get_by_role("dialog", name="This game is not over. Begin another one?").get_by_text("Cancel").click()
    assert page.evaluate("game.moves.length") == 2
    page.locator("#variant").select_option("go")
    page.get_by_text("Cancel").click()
    assert page.evaluate("[game.variant, byId('variant').value, game.moves.length]") == ["chess", "chess", 2]
    choose(page, "variant", "go")
    assert page.evaluate("[game.variant, byId('variant').value, game.moves.length]") == ["go", "go", 0]


def test_position_is_set_up_by_clicks(open_play):
    page = open_play()

    def put(piece, *names):
        page.get_by_role("button", name=piece, exact=True).click()
        for name in names:
            cell = [page.evaluate("board.rows.length") - int(name[1:]), "abcdefghi".index(name[0])]
            for x, y in page.evaluate(CELL_PLACES, [cell]):
                page.mouse.click(x, y)

    def set_up():
        if not page.locator("#set-up").is_visible():
            page.locator("details summary").click()
        page.locator("#set-up").click()

    set_up()
    assert page.locator("#actions").is_hidden() and page.locator("#level").is_hidden()
    page.get_by_role("button", name="Clear the board").click()
    put("White king", "e1")
    page.get_by_role("button", name="Play from here").click()
    assert "king" in page.locator("#failure").text_content() and page.evaluate("editor !== null")
    put("White rook", "h1", "a1", "a1")
    put("Black king", "e8")
    page.get_by_role("button", name="Black to move").click()
    page.get_by_role("button", name="Play from here").click()
    assert page.evaluate("[game.position, game.moves.length]") == ["4k3/8/8/8/8/8/8/4K2R b K - 0 1", 0]
    assert page.locator("#status").text_content() == "Your move: Black." and page.locator("#failure").is_hidden()
    click_move(page, "e8e7")
    wait(page, "game.moves.length === 2")
    set_up()
    page.get_by_role("button", name="Cancel").click()
    assert page.evaluate("[editor, game.moves.length]") == [None, 2]
    for variant, piece in (
        ("xiangqi", "Red soldier"),
        ("gomoku", "White piece"),
        ("go", "White piece"),
        ("cfour", "Yellow piece"),
        ("tictactoe", "O piece"),
    ):
        choose(page, "variant", variant)
        set_up()
        before = page.evaluate("editor.text")
        put(piece, "c1" if variant != "xiangqi" else "e4")
        page.get_by_role("button", name="Play from here").click()
        after = page.evaluate("game.position")
        assert after.split()[0] != before.split()[0] and page.evaluate("editor") is None, (before, after)
    for variant in ("trianglewar", "gametree"):
        choose(page, "variant", variant)
        assert page.locator("#set-up").is_hidden()


def test_go_is_played_on_larger_boards(open_play):
    page = open_play()
    assert page.locator("#size").is_hidden()
    choose(page, "variant", "go")
    choose(page, "size", "19")
    assert page.evaluate("[board.rows.length, game.position]") == [19, "/".join(["19"] * 19) + " b"]
    click_move(page, "P@q16")
    wait(page, "game.moves.length === 2")
    page.locator("[data-go=newGame]").click()
    page.locator("#answers button").first.click()
    assert page.evaluate("[board.rows.length, game.moves.length]") == [19, 0]


def test_move_in_an_earlier_position_begins_a_variation(open_play):
    page = open_play()
    for move in ("e2e4", "d2d4"):
        click_move(page, move)
        wait(page, "game.moves.length % 2 === 0 && !game.isEngine(game.state.side)")
    page.locator("[data-go=first]").click()
    click_move(page, "c2c4")
    wait(page, "game.moves.length === 2")
    assert page.evaluate("game.moves[0]") == "c2c4" and page.locator("#moves .variation").count() == 1


def test_keys_work_on_each_board_after_another(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    for variant, move in (
        ("chess", None),
        ("trianglewar", None),
        ("go", "e5"),
        ("trianglewar", None),
        ("cfour", "P@d1"),
    ):
        choose(page, "variant", variant)
        page.locator("#board").focus()
        page.keyboard.press("ArrowDown")
        assert "undefined" not in page.locator("#spoken").text_content()
        page.keyboard.press("Enter")
        if move:
            assert page.evaluate("game.state.played.map(move => move.text)") == [move]


def test_search_of_the_engine_is_spoken_counted_and_shown(open_play):
    page = open_play()
    choose(page, "level", page.evaluate("String(LEVELS.findIndex(level => level.method))"))
    click_move(page, "e2e4")
    wait(page, "game.moves.length === 2")
    answer = page.evaluate("game.state.played[1].text")
    wait(page, f"byId('spoken').textContent === 'Black plays {answer}'")
    figures = r"The engine's move: Depth 3, [\d,\u202f]+ nodes, [\d,\u202f]+ a second, branching factor \d+\.\d"
    assert re.fullmatch(figures, page.locator("#numbers").text_content())
    with page.context.expect_page() as opened:
        page.locator("[data-go=showSearch]").click()
    trace = opened.value
    trace.wait_for_selector(".panel .node")
    assert trace.locator("#subject").text_content() == f"chess: {page.evaluate('game.viewed.position')}"
    trace.keyboard.press("ArrowRight")
    assert trace.locator("#place").text_content().startswith("Step 2 of ")


def test_tree_without_names_is_loaded(open_play):
    page = open_play()
    choose(page, "variant", "gametree")
    choose(page, "opponent", "none")
    page.evaluate("byId('exchange').value = '((3 12 8) (2 4 6))', load()")
    assert page.locator("#exchange-note").text_content() == "Loaded."
    assert page.evaluate("game.state.moves.map(move => move.text)") == ["B", "C"]
    page.evaluate("['B', 'b1'].forEach(playMove)")
    assert page.locator("#status").text_content() == "The value is 3."
    page.evaluate("byId('exchange').value = ' ', load()")
    assert page.locator("#exchange-note").text_content() == "Nothing to load: paste a text first."
    assert page.evaluate("game.moves.length") == 2


def test_record_in_an_older_chinese_encoding_is_opened(open_play, tmp_path):
    page = open_play()
    choose(page, "variant", "xiangqi")
    choose(page, "opponent", "none")
    record = tmp_path / "record.pgn"
    record.write_bytes('[Game "Chinese Chess"]\n[Red "甲"]\n\n1. 炮二平五 马８进７ *\n'.encode("gb18030"))
    page.locator("#file").set_input_files(record)
    wait(page, "byId('exchange-note').textContent !== ''")
    assert page.evaluate("game.moves") == ["h3e3", "h10g8"], page.locator("#exchange-note").text_content()


@pytest.mark.parametrize("lacking", ["DecompressionStream", "WebAssembly"])
def test_old_browser_gets_one_sentence(browser, page_file, lacking):
    page = browser.new_page()
    page.add_init_script(f"delete window.{lacking}")
    page.goto(page_file.as_uri())
    expected = f"This browser is too old for the engine: it lacks {lacking}."
    assert page.locator("#status").text_content() == expected
    page.close()


def test_levels_take_back_resign_and_both_sides(open_play):
    page = open_play()
    choose(page, "opponent", "first")
    wait(page, "game.moves.length === 1")
    assert page.evaluate("game.isFlipped") and page.locator("#status").text_content() == "Your move: Black."
    page.locator("[data-go=resign]").click()
    page.locator("#answers button").first.click()
    assert page.locator("#status").text_content() == "Black resigned. White wins."
    assert '\n[Result "1-0"]' in page.evaluate("game.record")
    choose(page, "variant", "tictactoe")
    choose(page, "opponent", "both")
    wait(page, "game.isOver")
    assert page.evaluate("game.moves.length") >= 5
    page.locator("[data-go=first]").click()
    assert page.locator("#status").text_content().startswith("Position after move 0 of ")
    choose(page, "opponent", "none")
    page.locator("[data-go=goOn]").click()
    assert page.evaluate("game.moves") == [] and page.locator("#moves .variation button").count() >= 5


def test_move_taken_back_stays_as_a_variation(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    page.evaluate("['e2e4', 'e7e5', 'g1f3'].forEach(playMove)")
    for _ in range(2):
        page.locator("[data-go=takeBack]").click()
    click_move(page, "c7c5")
    variation = page.locator("#moves .variation")
    assert variation.inner_text() == "1… e5 2. Nf3"
    variation.locator("button", has_text="e5").click()
    assert page.locator("#status").text_content() == "Variation: position after move 2 of 3."
    assert page.locator("#moves [aria-current]").text_content() == "e5"
    page.locator("#moves").press("ArrowRight")
    assert page.locator("#moves [aria-current]").text_content() == "Nf3"
    # Two people may move in any position: the game goes on from there, and the former one is a variation.
    page.locator("#moves").press("ArrowLeft")
    click_move(page, "b1c3")
    assert page.evaluate("game.moves") == ["e2e4", "e7e5", "b1c3"]
    assert page.locator("#moves .variation").all_inner_texts() == ["1… c5", "2. Nf3"]
    assert page.evaluate("game.record").endswith("\n1. e4 e5 (1... c5) 2. Nc3 (2. Nf3) *\n\n")
    page.reload()
    wait(page, "document.body.dataset.ready === 'true'")
    assert page.locator("#moves .variation").all_inner_texts() == ["1… c5", "2. Nf3"]
    page.locator("#moves .variation button").first.click()
    page.locator("[data-go=goOn]").click()
    assert page.evaluate("game.moves") == ["e2e4", "c7c5"] and page.locator("#go-on").is_hidden()


def test_record_with_variations_is_loaded_and_shown(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    record = "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6 (2... d6) 3. f4) 2... d6) 2. Nf3 *"
    page.evaluate("text => { byId('exchange').value = text; load(); }", record)
    assert page.locator("#moves .variation").inner_text() == "1… c5 2. Nf3 (2. Nc3 Nc6 (2… d6) 3. f4) 2… d6"
    assert page.evaluate("game.record").endswith(f"\n{record}\n\n")
    page.locator("#moves .variation button", has_text="f4").click()
    page.locator("[data-go=graph]").click()
    positions = "positionsOf(game).every(position => evaluations.has(evaluationKey('chess', position)))"
    wait(page, positions)
    assert page.evaluate("positionsOf(game).length") == 6 and page.locator("#graph svg").is_visible()
    assert page.locator("#graph .cursor").count() == 1


def test_clock_runs_is_kept_and_ends_the_game(open_play):
    page = open_play()
    clocks = page.locator("#clocks .clock")
    assert page.locator("#clocks").is_hidden() and page.locator("#minutes").is_hidden()
    choose(page, "clock", "both")
    page.locator("#minutes").fill("3")
    page.locator("#increment").fill("2")
    page.locator("#increment").press("Enter")
    assert clocks.all_text_contents() == ["White 3:00", "Black 3:00"]
    page.evaluate(
        "sent = []; engine.send = (send => line => { sent.push(line); send.call(engine, line); })(engine.send); null"
    )
    click_move(page, "e2e4")
    wait(page, "game.moves.length === 2")
    assert re.search(r"go wtime 182000 winc 2000 btime \d+ binc 2000", " ".join(page.evaluate("sent")))
    # White's clock stood still before its first move. Black has used some time and gained two seconds.
    assert page.evaluate("game.tree[0].left") == [182000, 180000]
    assert page.evaluate("game.tree[1].left[1]") < 182000
    assert clocks.first.get_attribute("class") == "clock running" and clocks.first.get_attribute("role") == "timer"
    assert clocks.first.get_attribute("aria-label").startswith("Clock of White: ")
    page.reload()
    wait(page, "document.body.dataset.ready === 'true'")
    assert 0 < page.evaluate("game.clock.left[0]") < 182000
    page.evaluate("game.clock.left[0] = 0")
    wait(page, "game.isOver")
    assert page.locator("#status").text_content() == "The time of White is up. Black wins."
    assert clocks.first.text_content() == "White 0:00.0"
    assert '\n[Termination "time forfeit"]\n[Result "0-1"]' in page.evaluate("game.record")
    page.locator("[data-go=takeBack]").click()
    assert not page.evaluate("game.isOver")
    assert clocks.all_text_contents() == ["White 3:00", "Black 3:00"]
    choose(page, "clock", "second")
    assert clocks.first.is_hidden() and clocks.last.is_visible()


def test_hint_and_analysis_stop(open_play):
    page = open_play()
    page.locator("[data-go=hint]").click()
    wait(page, "hintMove !== null")
    assert page.locator("#status").text_content().startswith("Hint: ")
    page.locator("[data-go=analyse]").click()
    wait(page, "analysed.length === 3 && analysed[0].depth >= 6")
    assert page.locator("#analysis-lines li").count() == 3 and page.locator("#bar").is_visible()
    assert page.locator("#board .move.head").count() == 3
    page.locator("[data-go=analyse]").click()
    wait(page, "engine.jobs.length === 0")
    assert page.locator("#bar").is_hidden()
    click_move(page, "e2e4")  # The engine answers after the search that was stopped.
    wait(page, "game.moves.length === 2")


def test_graph_leads_to_a_move(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    page.evaluate("byId('exchange').value = '1. f3 e5 2. g4 Qh4# 0-1', load()")
    assert page.locator("#status").text_content() == "Black wins (checkmate)."
    page.locator("[data-go=graph]").click()
    wait(page, "positionsOf(game).slice(0, -1).every(position => evaluations.has(evaluationKey('chess', position)))")
    box = page.locator("#graph svg").bounding_box()
    page.mouse.click(box["x"] + 54 + (box["width"] - 66) / 4, box["y"] + 50)
    assert page.evaluate("game.view") == 1
    assert page.locator("#go-on").is_visible()


def test_stop_without_suspension_starts_another_worker(open_play):
    page = open_play()
    page.evaluate("stopsByEnding = true")
    page.locator("[data-go=analyse]").click()
    wait(page, "analysed.length > 0")
    page.locator("[data-go=analyse]").click()
    click_move(page, "e2e4")
    wait(page, "game.moves.length === 2")


def test_failed_engine_is_started_again_and_the_game_kept(open_play):
    page = open_play()
    click_move(page, "e2e4")
    wait(page, "game.moves.length === 2")
    page.evaluate("engine.worker.postMessage({ module: 'none' })")  # No engine can be started from it.
    wait(page, "failures === 1")
    line = page.locator("#failure").text_content()
    assert line.startswith("The engine failed and was started again; the game is kept. (") and "WebAssembly" in line
    click_move(page, page.evaluate("game.state.moves[0].move"))
    wait(page, "game.moves.length === 4")
    assert page.locator("#failure").is_hidden()
    # A panic of the rules: memory for a text of 4 GB.
    page.evaluate("try { rules.instance.exports.duiyi_text(-1) } catch {}")
    assert "capacity overflow" in page.evaluate("rules.failure")
    page.evaluate("rules.ask({ variant: 'chess' })")
    wait(page, "!rules.ask({ variant: 'chess' }).error")


def test_option_of_files_gets_one_line(open_play):
    page = open_play()
    replies = page.evaluate("""async () => {
        const replies = await engine.run("setoption name SyzygyPath value x", line => line.startsWith("info string"));
        const options = await engine.run("uci", line => line === "uciok");
        return [...replies, options.filter(line => line.includes("Syzygy")).length];
    }""")
    assert replies == ['info string no such option: "SyzygyPath" ("uci" lists them), ignored', 0]


def test_position_and_record_are_loaded_or_refused(open_play):
    page = open_play()
    choose(page, "opponent", "none")
    page.locator("details summary").click()

    def load(text):
        page.locator("#exchange").fill(text)
        page.locator("[data-go=load]").click()
        return page.locator("#exchange-note").text_content()

    record = '[Variant "xiangqi"]\n\n1. C2=5 H8+7 *\n'
    assert load(record) == "Loaded."
    assert page.evaluate("[game.variant, game.moves]") == ["xiangqi", ["h3e3", "h10g8"]]
    assert page.evaluate("game.record").endswith("1. C2=5 H8+7 *\n\n")
    assert load("no position") == 'FEN field 1 (board): expected 10 ranks separated by /, got "no"'
    assert page.evaluate("game.moves.length") == 2
    choose(page, "variant", "chess")
    position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert load(position) == "Loaded."
    assert page.locator("#position-text").text_content() == position
    assert load("1. e5") == 'line 1: ply 1: expected a legal move, got "e5"'


def test_record_is_saved_and_opened(open_play, tmp_path):
    page = open_play()
    choose(page, "opponent", "none")
    click_move(page, "e2e4")
    page.locator("details summary").click()
    with page.expect_download() as download:
        page.locator("[data-go=save]").click()
    assert download.value.suggested_filename == "duiyi-chess.pgn"
    record = tmp_path / "record.pgn"
    download.value.save_as(record)
    assert record.read_text() == page.evaluate("game.record")
    record.write_text("1. d4 d5 *")
    page.locator("#file").set_input_files(record)
    wait(page, "game.moves.length === 2")
    assert page.evaluate("game.moves") == ["d2d4", "d7d5"]


def test_textbook_level_plays_the_move_of_the_program(program, open_play):
    page = open_play()
    choose(page, "level", page.evaluate("String(LEVELS.findIndex(level => level.method))"))
    click_move(page, "e2e4")
    wait(page, "game.moves.length === 2")
    output = native(
        program,
        "chess",
        "setoption name Search Method value alphabeta-hard",
        "position startpos moves e2e4",
        "go depth 3",
    )
    assert re.search(r"^bestmove (\S+)", output, re.MULTILINE)[1] == page.evaluate("game.moves[1]")
    page.locator("[data-go=hint]").click()
    wait(page, "hintMove !== null")


def test_texts_are_there_in_both_languages(open_play):
    page = open_play(language="zh-CN")
    start_game(page, "xiangqi")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    click_move(page, "h3e3")
    wait(page, "game.moves.length === 2")
    assert page.locator("#moves button").first.text_content() == "炮二平五"
    text = "['header', '#status', '#actions', '.side'].map(name => document.querySelector(name).innerText).join(' ')"
    chinese = page.evaluate(text)
    page.locator("#language").click()
    english = page.evaluate(text)
    assert not re.search("[一-鿿]", english.replace("对弈", "").replace("中文", ""))
    assert not re.search("[A-Za-z]{3}", re.sub("Duiyi|English|FEN|PGN|[a-zA-Z0-9/]+ [wb] .*", "", chinese))
    keys = """() => {
        const list = (table, path) => Object.entries(table).flatMap(([key, value]) =>
            typeof value === "object" ? list(value, `${path}${key}.`) : [path + key]);
        return Object.values(TEXTS).map(table => list(table, ""));
    }"""
    english_keys, chinese_keys = page.evaluate(keys)
    assert english_keys == chinese_keys
    page.reload()
    wait(page, "document.body.dataset.ready === 'true'")
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_page_fits_its_width(open_play, width, language):
    page = open_play(width=width, language=language, scheme="dark" if width == 768 else "light")
    choose(page, "opponent", "none")
    page.locator("details summary").click()
    for variant in VARIANTS:
        choose(page, "variant", variant)
        inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert inner[0] <= inner[1], (variant, inner)
        assert page.evaluate("document.querySelector('#board').getBoundingClientRect().width") >= width * 0.3


def test_data_of_the_page_is_json(page_file):
    text = page_file.read_text(encoding="utf-8")
    assert json.loads(re.search(r'id="data">(.*?)</script>', text)[1]) == {}
    assert "http://" not in text.replace("http://www.w3.org/", "") and "https://" not in text
