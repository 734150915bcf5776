"""scripts/packages.py with stand-ins for cargo, the compilers and the emulators."""

import hashlib
import json
import tarfile
import zipfile

import pytest

import packages

CARGO = """#!/bin/sh
case $1 in
build)
    while [ $# -gt 0 ]; do
        case $1 in --target) target=$2 ;; --target-dir) dir=$2 ;; esac
        shift
    done
    case $target in *windows*) name=duiyi.exe ;; *) name=duiyi ;; esac
    /bin/mkdir -p "$dir/$target/release" && /bin/cp "{bin}/program" "$dir/$target/release/$name" ;;
tree) echo "duiyi v0.1.0 ({root})"; echo "lent v1.2.3" ;;
metadata) /bin/cat "{bin}/metadata.json" ;;
esac
"""
BENCH = "echo 'evaluation classical: 7 nodes 1 nps'; echo; echo '42 nodes 1 nps'"


@pytest.fixture
def make(tmp_path, monkeypatch, capsys):
    """Returns a function that runs the script with these tools and this program, and returns its status and output."""
    folder = tmp_path / "bin"
    crate = tmp_path / "crate"
    crate.mkdir()
    (crate / "LICENSE-MIT").write_text("the text of the licence")
    crates = [{"name": "lent", "version": "1.2.3", "license": "MIT", "manifest_path": str(crate / "Cargo.toml")}]

    def script(name, text):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)

    def run(
        *names, program=f"case $1 in bench) {BENCH} ;; man) echo 'duiyi\\-trace(1)' ;; esac", tools=(), installed=True
    ):
        folder.mkdir()
        (folder / "metadata.json").write_text(json.dumps({"packages": crates}))
        library = tmp_path / "library"
        library.mkdir()
        if installed:
            (library / "libstd-1.rlib").touch()
        script("cargo", CARGO.replace("{bin}", str(folder)).replace("{root}", str(packages.ROOT)))
        script("program", f"#!/bin/sh\n{program}\n")
        script("rustc", f"#!/bin/sh\necho {library}\n")
        script("rustup", "#!/bin/sh\nexit 1\n")
        for name in tools:
            # A compiler, which gets options, or an emulator, which gets the program.
            script(name, '#!/bin/sh\ncase $1 in -*) ;; *) "$@" ;; esac\n')
        monkeypatch.setenv("PATH", str(folder))
        target = tmp_path / "target"
        monkeypatch.setattr("sys.argv", ["packages.py", "--bench", "42", "--target-dir", str(target), *names])
        with pytest.raises(SystemExit) as end:
            packages.main()
        return end.value.code, capsys.readouterr().out.splitlines(), target / "packages"

    return run


def test_package_has_program_documents_and_licences_of_crates(make):
    status, lines, folder = make("linux-x86-64-v2", "windows-x86-64-v2", tools=["x86_64-w64-mingw32-gcc", "wine"])
    assert status == 0 and [line.split("; ")[-1] for line in lines] == ["bench 42, as documented"] * 2
    archives = sorted(path.name for path in folder.glob("duiyi-*"))
    linux, windows = archives
    assert linux.endswith("-linux-x86-64-v2.tar.gz") and windows.endswith("-windows-x86-64-v2.zip")
    top = linux.removesuffix(".tar.gz")
    with tarfile.open(folder / linux) as archive:
        names = archive.getnames()
        assert archive.getmember(f"{top}/duiyi").mode & 0o111
        assert archive.extractfile(f"{top}/man/man1/duiyi-trace.1").read() == b"duiyi\\-trace(1)\n"
        assert b"the text of the licence" in archive.extractfile(f"{top}/LICENSES-OF-CRATES.txt").read()
    documents = {"README.md", "protocol.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/packages.md"}
    documents |= {"man/man1/duiyi.1", "completions/bash/duiyi", "completions/zsh/_duiyi"}
    assert {f"{top}/{name}" for name in documents} < set(names)
    with zipfile.ZipFile(folder / windows) as archive:
        names = {name.removeprefix(f"{windows.removesuffix('.zip')}/") for name in archive.namelist()}
        assert {"duiyi.exe", "man/man1/duiyi.1", "completions/powershell/_duiyi.ps1"} <= names
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in archives]
    assert (folder / "SHA256SUMS").read_text().splitlines() == sums


def test_other_number_of_nodes_fails_and_next_package_is_made(make):
    program = f"case $0$1 in *linux-x86-64-v2*) echo '41 nodes 1 nps' ;; *bench) {BENCH} ;; esac"
    status, lines, folder = make("linux-x86-64-v2", "linux-x86-64-v3", program=program)
    assert status == 1 and lines[0] == "linux-x86-64-v2: failed: expected bench 42, got 41"
    assert lines[1].endswith("bench 42, as documented")
    assert len(list(folder.glob("duiyi-*"))) == 1


def test_missing_tools_are_named_in_one_line(make):
    status, lines, folder = make("windows-x86-64-v2", "linux-arm64")
    assert status == 0 and len(lines) == 2
    assert lines[0].startswith("windows-x86-64-v2: skipped: expected the linker x86_64-w64-mingw32-gcc (Debian package")
    assert lines[1].endswith("because the program was not started: expected qemu-aarch64, found none")
    assert [path.name.split("-", 2)[2] for path in folder.glob("duiyi-*")] == ["linux-arm64.tar.gz"]


def test_missing_standard_library_is_skipped(make):
    assert make("linux-arm64", installed=False)[:2] == (
        0,
        ["linux-arm64: skipped: `rustup target add aarch64-unknown-linux-musl` failed"],
    )


def test_program_for_newer_processor_is_not_started(make):
    status, lines, _ = make("linux-x86-64-v4", program="kill -ILL $$")
    assert status == 0 and lines[0].endswith(
        "the program was not started: this machine's processor is no x86-64-v4 (illegal instruction)"
    )


def test_program_with_a_folder_of_the_machine_fails(make, monkeypatch, tmp_path):
    monkeypatch.setattr(packages, "CARGO_HOME", tmp_path / "home")
    status, lines, folder = make("linux-x86-64-v2", program=f"{BENCH} # {tmp_path / 'home'}/registry/src/x/lib.rs")
    assert status == 1
    assert lines == [f"linux-x86-64-v2: failed: the program names the folder {tmp_path / 'home'} of this machine"]
    assert not list(folder.glob("duiyi-*"))
