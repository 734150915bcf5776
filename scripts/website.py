#!/usr/bin/env python3
"""Puts the site together in one folder: play page, pages of the tour, documents as HTML. `make site` builds all of it."""

import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "src" / "tools" / "pages"
DOCUMENTS = ("README.md", "protocol.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Beside those of `docs/`."""
TOUR = "docs/tour.md"
TOUR_PAGES = "tour"
MARK = 'content="Duiyi website.py"'
CHINESE = ".zh.md"
WORDS = {
    "en": {
        "language": "en",
        "name": "Duiyi 对弈",
        "index": "index.html",
        "links": [("play.html", "Play"), ("docs/tour.html", "Tour"), ("index.zh.html", "中文")],
        "open": "Open the page {}",
        "text": "Chess, xiangqi, Go, gomoku, Connect Four and more: play, analyse, and see how a search works. Everything runs in"
        " your browser.",
        "start": "Play",
        "picture": ("docs/play.png", "Chess and analysis in the play page"),
        "tour": "A tour of game-tree search",
        "about_tour": "each claim of the textbooks with a page that steps through the search.",
        "documents": "Documents",
    },
    "zh": {
        "language": "zh-CN",
        "name": "对弈 Duiyi",
        "index": "index.zh.html",
        "links": [("play.html", "下棋"), ("docs/tour.zh.html", "搜索之旅"), ("index.html", "English")],
        "open": "打开网页 {}",
        "text": "国际象棋、中国象棋、围棋、五子棋、四子棋等：下棋、分析，看懂搜索的每一步。一切都在浏览器中运行。",
        "start": "开始下棋",
        "picture": ("docs/play-xiangqi.png", "下棋网页：手机上的中国象棋"),
        "tour": "博弈树搜索之旅",
        "about_tour": "教材中的每个论断，都配有逐步演示搜索过程的网页。",
        "documents": "文档（英文）",
    },
}


class SiteError(Exception):
    """One line that says why there is no site."""


def template(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")


def language_of(source):
    return "zh" if str(source).endswith(CHINESE) else "en"


def sources():
    """Returns the paths of the documents."""
    return [
        PurePosixPath(name)
        for name in (*DOCUMENTS, *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
    ]


def slug(heading, used):
    """Returns the name by which links find a heading, as on GitHub."""
    name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    number = used[name] = used.get(name, -1) + 1
    return f"{name}-{number}" if number else name


def tour_pages(tokens):
    """Returns the names of the pages that the commands of a document write."""
    return [name for token in tokens if token.type == "fence" for name in re.findall(r"--html (\S+)", token.content)]


class Document:
    """A document: its HTML, its title, and the files beside the documents that it needs."""

    def __init__(self, source):
        self.source, self.language = source, language_of(source)
        self.words = WORDS[self.language]
        markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        for name, rule in {
            "table_open": '<div class="scrolls" tabindex="0"><table>',
            "table_close": "</table></div>",
        }.items():
            markdown.add_render_rule(name, lambda *_, rule=rule: rule + "\n")
        markdown.add_render_rule("fence", lambda _, tokens, index, *more: self.fence(tokens[index]))
        tokens = markdown.parse((ROOT / source).read_text(encoding="utf-8"))
        self.files, used, self.title = set(), {}, None
        for token, inline in zip(tokens, [*tokens[1:], None]):
            if token.type == "heading_open":
                heading = "".join(child.content for child in inline.children)
                self.title = self.title or heading
                token.attrSet("id", slug(heading, used))
            for child in token.children or ():
                # In Chinese no space stands between sentences.
                if child.type == "softbreak" and self.language == "zh":
                    child.type = "text"
                for name in ("href", "src"):
                    if name in child.attrs:
                        child.attrSet(name, self.target(child.attrs[name]))
        self.body = markdown.renderer.render(tokens, markdown.options, {})

    def fence(self, token):
        """The HTML of code, with links to the pages that its commands write."""
        code = f"<pre><code>{html.escape(token.content, quote=False)}</code></pre>\n"
        pages = tour_pages([token]) if language_less(self.source) == TOUR else []
        links = (f'<a href="../{TOUR_PAGES}/{page}">{self.words["open"].format(page)}</a>' for page in pages)
        return code + (f'<p class="pages">{" · ".join(links)}</p>\n' if pages else "")

    def target(self, link):
        """Returns the address in the site for a link of the document."""
        path, _, heading = link.partition("#")
        if "://" in link or not path:
            return link
        if path.endswith(".md"):
            return path.removesuffix(".md") + ".html" + (f"#{heading}" if heading else "")
        self.files.add(os.path.normpath(self.source.parent / path))
        return path


def language_less(source):
    return str(source).replace(CHINESE, ".md")


def page(source, language, title, body):
    """Returns the HTML of a page at a path of the site."""
    words, root = WORDS[language], "../" * (len(source.parts) - 1)
    links = " ".join(f'<a href="{root}{link}">{text}</a>' for link, text in words["links"])
    parts = {
        "title": html.escape(title),
        "root": root,
        "links": links,
        "body": body,
    }
    parts |= {name: words[name] for name in ("language", "index", "name")}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template("site/document.html"))


def index_body(language, documents):
    words = WORDS[language]
    picture, about = words["picture"]
    tour = next(link for link, _ in words["links"] if "tour" in link)
    titles = sorted((document.title, str(document.source)) for document in documents if document.language == "en")
    items = "\n".join(
        f'<li><a href="{path.removesuffix(".md")}.html">{html.escape(title)}</a></li>' for title, path in titles
    )
    return f"""<h1>{words["name"]}</h1>
<p>{words["text"]}</p>
<p><a class="start" href="play.html">{words["start"]}</a></p>
<p><a href="play.html"><img src="{picture}" alt="{about}"></a></p>
<p><a href="{tour}">{words["tour"]}</a>{"：" if language == "zh" else ": "}{words["about_tour"]}</p>
<h2 id="documents">{words["documents"]}</h2>
<ul class="documents">
{items}
</ul>"""


def run_tour(program, folder):
    """Runs the commands of the tour that write pages, and keeps the pages in the folder."""
    folders = [program.resolve().parent, ROOT / "scripts", Path(sys.executable).parent, os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(map(str, folders))}
    blocks = [
        token.content
        for token in MarkdownIt().parse((ROOT / TOUR).read_text(encoding="utf-8"))
        if token.type == "fence"
    ]
    with tempfile.TemporaryDirectory() as place:
        for block in blocks:
            pages = re.findall(r"--html (\S+)", block)
            if not pages:
                continue
            run = subprocess.run(["bash", "-ec", block], cwd=place, env=environment, capture_output=True, text=True)
            if run.returncode:
                raise SiteError(f"a command of {TOUR} failed: {run.stderr.strip() or block.strip()}")
            for name in pages:
                shutil.copyfile(Path(place) / name, folder / name)


def write_site(program, play, folder):
    """Writes the files of the site into an empty folder."""
    documents = [Document(source) for source in sources()]
    shutil.copyfile(play, folder / "play.html")
    (folder / TOUR_PAGES).mkdir()
    run_tour(program, folder / TOUR_PAGES)
    pages = {document.source: (document.language, document.title, document.body) for document in documents}
    pages |= {
        PurePosixPath(WORDS[name]["index"]): (name, WORDS[name]["name"], index_body(name, documents)) for name in WORDS
    }
    for source, (language, title, body) in pages.items():
        path = folder / source.with_suffix(".html")
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(source, language, title, body), encoding="utf-8")
    pictures = {words["picture"][0] for words in WORDS.values()}
    for name in pictures.union(*(document.files for document in documents)):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    (folder / "site.css").write_text(template("style.css") + template("site/site.css"), encoding="utf-8")


def is_replaceable(folder):
    """Whether a folder is missing, empty, or a site."""
    index = folder / "index.html"
    return (
        not folder.exists()
        or not any(folder.iterdir())
        or (index.is_file() and MARK in index.read_text(encoding="utf-8"))
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=Path("duiyi"), help="the program, named duiyi [default: duiyi]")
    parser.add_argument("--play", type=Path, default=Path("play.html"), help="the play page [default: play.html]")
    parser.add_argument("-o", "--out", type=Path, default=Path("site"), help="the folder of the site [default: site]")
    arguments = parser.parse_args()
    try:
        if not is_replaceable(arguments.out):
            raise SiteError(f"--out: expected a new or empty folder or a site, found other files in {arguments.out}")
        part = arguments.out.with_name(f"{arguments.out.name}.{os.getpid()}.part")
        part.mkdir()
        try:
            write_site(arguments.program, arguments.play, part)
            shutil.rmtree(arguments.out, ignore_errors=True)
            part.rename(arguments.out)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except (OSError, SiteError) as error:
        sys.exit(f"website.py: {error}; no site is written")
    print(f"{arguments.out}: {sum(path.is_file() for path in arguments.out.rglob('*'))} files")


if __name__ == "__main__":
    main()
