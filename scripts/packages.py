#!/usr/bin/env python3
"""Builds the program for several processors and systems, starts each build, and packs each into an archive.

Where a tool is missing, a line says so and the next package follows. The status is 1 if a build fails or if a started
program searches another number of nodes than documented. It needs Python alone.
"""

import argparse
import dataclasses
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CARGO_HOME = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
BENCH_SECONDS = 3600
"""An emulator on a busy machine takes minutes for what takes seconds."""


@dataclasses.dataclass(frozen=True)
class Package:
    name: str
    target: str
    cpu: str
    linker: str | None = None
    """The linker that the target needs; None for the system's own."""
    linker_hint: str = ""
    runner: str | None = None
    """The emulator that starts the program; None for this machine itself."""

    @property
    def program(self):
        return "duiyi.exe" if "windows" in self.target else "duiyi"


LINUX = "x86_64-unknown-linux-gnu"
WINDOWS = {"linker": "x86_64-w64-mingw32-gcc", "linker_hint": "Debian package gcc-mingw-w64-x86-64", "runner": "wine"}
PACKAGES = [
    Package("linux-x86-64-v2", LINUX, "x86-64-v2"),
    Package("linux-x86-64-v3", LINUX, "x86-64-v3"),
    Package("linux-x86-64-v4", LINUX, "x86-64-v4"),
    # Static, with Rust's own linker and the C library musl: the program runs with any C library.
    Package("linux-x86-64-static", "x86_64-unknown-linux-musl", "x86-64-v2"),
    Package("windows-x86-64-v2", "x86_64-pc-windows-gnu", "x86-64-v2", **WINDOWS),
    Package("windows-x86-64-v3", "x86_64-pc-windows-gnu", "x86-64-v3", **WINDOWS),
    # Static too, so no compiler for ARM is needed.
    Package("linux-arm64", "aarch64-unknown-linux-musl", "generic", runner="qemu-aarch64"),
]


CRATES = (
    "The program contains these crates and the standard library of Rust (MIT OR Apache-2.0); on ARM "
    "and in the static package for Linux also musl (MIT), on "
    "Windows parts of MinGW-w64 and of GCC's runtime library (free for every program)."
)
PROCESS_PRNG = """
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }
"""
"""Every Rust program asks Windows for random numbers by this function of bcryptprimitives.dll, which Wine 8 lacks."""


class Skipped(Exception):
    """The package cannot be built here."""


class Failed(Exception):
    """The package is wrong."""


class NotStarted(Exception):
    """The program cannot be started here."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    names = [package.name for package in PACKAGES]
    parser.add_argument("packages", nargs="*", metavar="NAME", help=f"packages (default all): {', '.join(names)}")
    parser.add_argument("--profile", default="release", help="Cargo profile (default release, as make builds it)")
    parser.add_argument("--target-dir", type=Path, default=Path("target"), help="Cargo's target directory")
    parser.add_argument(
        "--bench", type=int, help="expected nodes of bench (default: `Bench: N` of the last such commit)"
    )
    options = parser.parse_args()
    if unknown := set(options.packages) - set(names):
        parser.error(f"expected packages of {', '.join(names)}, got {', '.join(sorted(unknown))}")
    return options


def output_of(*command):
    """Returns the output of a command; None if it fails or is missing."""
    try:
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def documented_bench():
    """Returns the nodes in the message of the last commit that changed them; None without git."""
    message = output_of("git", "log", "-1", "--grep", "^Bench: [0-9]", "--format=%B")
    found = re.search(r"^Bench: (\d+)$", message or "", re.MULTILINE)
    return int(found[1]) if found else None


def require_target(package):
    """Installs the standard library for the target, unless it is there.

    # Raises
    Skipped: if it, or the linker, cannot be had.
    """
    library = Path(output_of("rustc", "--print", "target-libdir", "--target", package.target) or ROOT / "missing")
    if not any(library.glob("libstd-*")) and output_of("rustup", "target", "add", package.target) is None:
        raise Skipped(f"`rustup target add {package.target}` failed")
    if package.linker and not shutil.which(package.linker):
        raise Skipped(f"expected the linker {package.linker} ({package.linker_hint}), found none")


def build(package, options):
    """Builds the program and returns its path."""
    directory = options.target_dir.resolve() / "packages" / "build" / package.name
    variable = package.target.upper().replace("-", "_")
    profile = f"CARGO_PROFILE_{options.profile.upper()}"
    environment = {
        **os.environ,
        "RUSTFLAGS": " ".join([os.environ.get("RUSTFLAGS", ""), f"-C target-cpu={package.cpu}", *remap()]).strip(),
        f"{profile}_STRIP": "true",
    }
    if options.profile == "release":
        # As in the Makefile: the fastest program.
        environment |= {f"{profile}_LTO": "fat", f"{profile}_CODEGEN_UNITS": "1"}
    if package.target.endswith("-musl"):
        environment[f"CARGO_TARGET_{variable}_LINKER"] = "rust-lld"
    command = ["cargo", "build", "--quiet", "--locked", "--bin", "duiyi", "--profile", options.profile]
    command += ["--target", package.target, "--target-dir", str(directory)]
    if subprocess.run(command, cwd=ROOT, env=environment).returncode != 0:
        raise Failed("the build failed")
    program = directory / package.target / options.profile / package.program
    for folder in (CARGO_HOME, ROOT):
        if os.fsencode(folder) in program.read_bytes():
            raise Failed(f"the program names the folder {folder} of this machine")
    return program


def remap():
    """The flag that keeps the folder of the crates out of the program, as in the Makefile. Flags cannot have blanks."""
    crates = f"{CARGO_HOME}/registry/src"
    return [] if " " in crates else [f"--remap-path-prefix={crates}=crates"]


def start(package, program, options, *arguments):
    """Runs the program and returns the finished process.

    # Raises
    NotStarted: if it cannot be started here.
    Failed: if it does not end.
    """
    runner, environment = [], dict(os.environ)
    if package.runner:
        if not shutil.which(package.runner):
            raise NotStarted(f"expected {package.runner}, found none")
        runner = [package.runner]
    if package.runner == "wine":
        environment |= wine_environment(package, options.target_dir.resolve() / "packages" / "wine")
    try:
        process = subprocess.run(
            [*runner, str(program), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=BENCH_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{arguments[0]} took more than {BENCH_SECONDS} s") from None
    except OSError as error:
        raise NotStarted(str(error)) from None
    if process.returncode == -signal.SIGILL:
        raise NotStarted(f"this machine's processor is no {package.cpu} (illegal instruction)")
    return process


def bench(package, program, options):
    """Starts `program bench` and returns its nodes."""
    process = start(package, program, options, "bench")
    found = re.findall(rb"^(\d+) nodes \d+ nps\r?$", process.stdout, re.MULTILINE)
    if process.returncode != 0 or not found:
        error = process.stderr.decode(errors="replace").strip().split("\n")[-1]
        raise Failed(f"bench ended with status {process.returncode} and no node count: {error}")
    return int(found[-1])


def wine_environment(package, folder):
    """Returns the variables for Wine with a system of its own in `folder`, and a stand-in for the library that it may lack."""
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "bcryptprimitives.dll"
    command = [package.linker, "-shared", "-o", str(library), "-x", "c", "-", "-ladvapi32"]
    if subprocess.run(command, input=PROCESS_PRNG, text=True).returncode != 0:
        raise Failed("the stand-in for bcryptprimitives.dll cannot be built")
    # Wine looks into the folders of WINEPATH after its own.
    return {"WINEPREFIX": str(folder / "prefix"), "WINEPATH": f"Z:{folder}", "WINEDEBUG": "-all"}


def foreign_licences(package):
    """Returns the licences of the crates in the program, as their authors ask of those who hand it on."""
    tree = output_of(
        *("cargo", "tree", "--locked", "--target", package.target, "--edges", "normal", "--prefix", "none"),
        *("--format", "{p}"),
    )
    metadata = output_of("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", package.target)
    if tree is None or metadata is None:
        raise Failed("cargo does not list the crates")
    used = {tuple(line.split()[:2]) for line in tree.splitlines()}
    texts = []
    for crate in json.loads(metadata)["packages"]:
        folder = Path(crate["manifest_path"]).parent
        if (crate["name"], f"v{crate['version']}") in used and folder != ROOT:
            files = sorted(path for path in folder.iterdir() if re.match("(?i)licen[cs]e|copying|notice", path.name))
            title = f"{crate['name']} {crate['version']}: {crate['license']}"
            body = [path.read_text(encoding="utf-8", errors="replace") for path in files if path.is_file()]
            texts.append("\n\n".join([f"{'=' * 78}\n{title}\n{'=' * 78}", *body]))
    return f"{CRATES}\n\n" + "\n".join(texts)


def pages(package, program, options):
    """Returns {file: text} of the manual pages and the completions, which the program prints.

    # Raises
    NotStarted: if it cannot be started here.
    """

    def text(*arguments):
        process = start(package, program, options, *arguments)
        if process.returncode != 0:
            raise Failed(f"{' '.join(arguments)} ended with status {process.returncode}")
        return process.stdout.replace(b"\r\n", b"\n")

    manual = text("man")
    found = {"man/man1/duiyi.1": manual}
    for tool in re.findall(rb"^duiyi\\-([a-z]+)\(1\)$", manual, re.MULTILINE):
        found[f"man/man1/duiyi-{tool.decode()}.1"] = text("man", tool.decode())
    shells = {"bash": "duiyi", "zsh": "_duiyi", "fish": "duiyi.fish", "powershell": "_duiyi.ps1"}
    return found | {f"completions/{shell}/{name}": text("completions", shell) for shell, name in shells.items()}


def pack(package, program, options, version, printed):
    """Writes the archive and returns its path. `printed` has the files that the program has printed."""
    name = f"duiyi-{version}-{package.name}"
    directory = options.target_dir.resolve() / "packages"
    folder = directory / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy2(program, folder)
    for path in [*ROOT.glob("*.md"), *ROOT.glob("LICENSE-*")]:
        shutil.copy2(path, folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    for path, text in printed.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)
    (folder / "LICENSES-OF-CRATES.txt").write_text(foreign_licences(package), encoding="utf-8")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if package.program.endswith(".exe"):
        archive = directory / f"{name}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for path in files:
                out.write(path, path.relative_to(directory))
    else:
        archive = directory / f"{name}.tar.gz"
        with tarfile.open(archive, "w:gz") as out:
            for path in files:
                out.add(path, path.relative_to(directory), filter=without_owner)
    shutil.rmtree(folder)
    return archive


def without_owner(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def make(package, options, expected, version):
    """Makes the package. Returns its archive and a line about it."""
    require_target(package)
    program = build(package, options)
    printed = {}
    try:
        nodes = bench(package, program, options)
        if expected is None:
            started = f"bench {nodes}; no documented number is known, because there is no git history"
        elif nodes == expected:
            started = f"bench {nodes}, as documented"
        else:
            raise Failed(f"expected bench {expected}, got {nodes}")
        printed = pages(package, program, options)
    except NotStarted as error:
        started = f"without manual pages and completions, because the program was not started: {error}"
    archive = pack(package, program, options, version, printed)
    return archive, f"{archive.name}, {archive.stat().st_size / 1e6:.1f} MB; {started}"


def main():
    options = parse_arguments()
    expected = options.bench or documented_bench()
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
    archives, failed = [], False
    for package in PACKAGES:
        if options.packages and package.name not in options.packages:
            continue
        try:
            archive, text = make(package, options, expected, version)
            archives.append(archive)
        except Skipped as error:
            text = f"skipped: {error}"
        except Failed as error:
            text, failed = f"failed: {error}", True
        print(f"{package.name}: {text}", flush=True)
    if archives:
        sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives]
        (archives[0].parent / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
