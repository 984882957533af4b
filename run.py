"""The one command of a fresh clone: ``python3 run.py demo``, ``test``, ``soak`` or ``bench``.

Makes ``.venv`` beside this file, installs Limpet into it, and runs what was asked. Its syntax stays readable for old
Pythons, so that one of them can name the Python it takes, or hand over to one that it finds.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys

LEAST = (3, 11)
NAMES = ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python")
PROBE = f"import sys, ensurepip, venv; sys.exit(sys.version_info < {LEAST})"
ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
STAMP = os.path.join(VENV, "limpet-run")
SOURCES = ("pyproject.toml", "constraints.txt")

BENCHES = (
    "hook",
    "matching",
    "tokens",
    "disclosure",
    "retrieval",
    "memory_speed",
    "effects",
    "memory_kills",
    "kills",
    "git_commands",
    "prompt_path",
    "fuzz",
    "hostile",
    "worst_case",
    "shell",
    "calls",
    "busy",
)
PLATFORMS = ("linux", "darwin", "win32")

USAGE = f"""\
usage: python3 run.py demo [--json | --keep DIR]   show a session, as a model would see it
       python3 run.py test [PYTEST ARGUMENTS]      lint, types, architecture and tests
       python3 run.py soak [PYTEST ARGUMENTS]      all that tests/soak holds, of which test plays a sample
       python3 run.py bench [NAME] [OPTIONS]       measure; NAME is one of these, {BENCHES[0]} without one:
                                                   {", ".join(BENCHES[:5])},
                                                   {", ".join(BENCHES[5:10])},
                                                   {", ".join(BENCHES[10:])}"""


def typecheck(platform):
    """The check of the types as they are on this platform, with a cache of its own, so that a second run is quick."""
    cache = os.path.join(".mypy_cache", platform)
    return "types on " + platform, [PYTHON, "-m", "mypy", "--platform", platform, "--cache-dir", cache]


# The longest first: they run side by side.
CHECKS = (
    *map(typecheck, PLATFORMS),
    ("lint", [PYTHON, "-m", "ruff", "check", "."]),
    ("format", [PYTHON, "-m", "ruff", "format", "--check", "."]),
    # Written once, whatever the environment says of bytecode, for the many processes that the tests start.
    ("bytecode", [PYTHON, "-m", "compileall", "-q", "src"]),
    ("architecture", [PYTHON, "-c", "from importlinter.cli import lint_imports_command as main; main()"]),
)


def main(args):
    """Run ``args`` and return the exit code."""
    commands = {"demo": demo, "test": test, "soak": soak, "bench": bench}
    if not args or args[0] not in commands:
        print(USAGE, file=sys.stderr)
        return 2
    if not is_fit():
        other = find_python()
        if other is None:
            print("run.py: " + complaint(sys.version_info), file=sys.stderr)
            return 1
        return subprocess.call([other, os.path.abspath(__file__), *args])
    return commands[args[0]](args[1:])


def demo(args):
    """Play the demonstration, which makes its own scratch project."""
    prepare(dev=False)
    return subprocess.call([PYTHON, "-m", "limpet", "demo", *args])


def test(args):
    """Run every check, whatever the others say; pytest comes last, so that its closing line does."""
    prepare(dev=True)
    failed = side_by_side(CHECKS)
    print("-- tests", flush=True)
    if run_tests(args):
        failed.append("tests")
    if failed:
        print("run.py: failed: " + ", ".join(failed), file=sys.stderr)
    return 1 if failed else 0


def soak(args):
    """Play in full what ``test`` plays a sample of."""
    prepare(dev=True)
    return run_tests(["tests/soak", *args], LIMPET_SOAK="1")


def run_tests(args, **variables):
    """Pytest's exit code, with as many workers as there are processors unless ``args`` say how many."""
    workers = [] if "-n" in args else ["-n", "auto", "--dist", "worksteal"]
    return subprocess.call([PYTHON, "-m", "pytest", *workers, *args], cwd=ROOT, env={**os.environ, **variables})


def bench(args):
    """Run one of the measurements, without a name the one that times the hook that this clone would install."""
    named = bool(args) and not args[0].startswith("-")
    name, rest = (args[0], args[1:]) if named else (BENCHES[0], args)
    if name not in BENCHES:
        print(USAGE, file=sys.stderr)
        return 2
    prepare(dev=False)
    return subprocess.call([PYTHON, os.path.join(ROOT, "bench", name + ".py"), *rest])


def side_by_side(checks):
    """The names of those that fail, of checks that run as many at a time as there are processors; what each says is
    printed when it is over."""
    from concurrent.futures import ThreadPoolExecutor

    def play(command):
        return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    failed = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (name, _), done in zip(checks, pool.map(play, [command for _, command in checks]), strict=True):
            print("-- " + name + "\n" + done.stdout.decode("utf-8", "replace"), end="", flush=True)
            if done.returncode:
                failed.append(name)
    return failed


def is_fit():
    """Whether this very Python can do it."""
    return sys.version_info >= LEAST and (venv_works() or importlib.util.find_spec("ensurepip") is not None)


def find_python():
    """The newest Python on PATH that can do it, or None."""
    for name in NAMES:
        path = shutil.which(name)
        if path and is_silent_success([path, "-c", PROBE]):
            return path
    return None


def complaint(version):
    """What is wrong with a Python of this version, a tuple, and what to do."""
    name, wanted = (f"{major}.{minor}" for major, minor in (version[:2], LEAST))
    if tuple(version[:2]) < LEAST:
        return f"needs Python {wanted} or newer; this is {name}, and PATH has no newer one that can make a venv."
    return (
        f"this Python {name} cannot make a virtual environment, because its module ensurepip is missing.\n"
        f"On Debian and Ubuntu: sudo apt install python{name}-venv. Or put another Python {wanted} or newer on PATH."
    )


def prepare(dev):
    """Make ``.venv`` and install, unless that was done for the same requirements."""
    wanted = stamp(dev)
    if venv_works() and read_stamp() in (wanted, stamp(dev=True)):
        return
    if not venv_works():
        print("-- making .venv", flush=True)
        run_or_exit([sys.executable, "-m", "venv", "--clear", VENV])
    print("-- installing into .venv", flush=True)
    run_or_exit([PYTHON, "-m", "pip", "install", "--quiet", "-c", "constraints.txt", *requirements(dev)])
    with open(STAMP, "w", encoding="utf-8") as file:
        file.write(wanted)


def requirements(dev):
    """What pip is asked for; the group is read here, because the pip of older Pythons knows no groups."""
    import tomllib

    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        groups = tomllib.load(file)["dependency-groups"]
    return ["-e", ".", *(groups["dev"] if dev else [])]


def stamp(dev):
    """What the environment is made from and for, as a text; a moved clone must install again."""
    found = hashlib.sha256()
    for name in SOURCES:
        with open(os.path.join(ROOT, name), "rb") as file:
            found.update(file.read())
    return f"{'dev' if dev else 'demo'} {found.hexdigest()} {ROOT}"


def read_stamp():
    """What the environment was made from; empty when nobody knows."""
    if not os.path.exists(STAMP):
        return ""
    with open(STAMP, encoding="utf-8") as file:
        return file.read()


def venv_works():
    """Whether ``.venv`` has a Python that runs, is new enough, and has pip."""
    return is_silent_success([PYTHON, "-c", f"import sys, pip; sys.exit(sys.version_info < {LEAST})"])


def is_silent_success(command):
    """Whether a command runs and exits with 0."""
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def run_or_exit(command):
    """Run a command that must succeed."""
    code = subprocess.call(command, cwd=ROOT)
    if code:
        sys.exit(f"run.py: failed with {code}: {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
