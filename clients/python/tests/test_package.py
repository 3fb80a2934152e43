from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted([*ROOT.glob("tacet/*.py"), *ROOT.glob("examples/*.py")])


def python(*args, **options):
    return subprocess.run(
        [sys.executable, *args], check=True, capture_output=True, text=True, **options
    ).stdout


def builders_lacking() -> str:
    """What of the tools that build wheels is not installed, or too old; empty where all are there."""
    missing = [each for each in ("pip", "setuptools") if not importlib.util.find_spec(each)]
    if missing:
        return f"{', '.join(missing)} not installed"
    major, minor, *_ = importlib.metadata.version("setuptools").split(".")
    version = (int(major), int(minor))
    if version < (61, 0):
        return "setuptools is older than 61"
    # From 70.1 on it makes wheels by itself.
    needs_wheel = version < (70, 1) and not importlib.util.find_spec("wheel")
    return "wheel not installed" if needs_wheel else ""


class PackageTest(unittest.TestCase):
    def test_is_imported_with_the_standard_library_alone(self):
        script = (
            "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); "
            "import tacet; print(len(tacet.__all__))"
        )
        self.assertGreater(int(python("-I", "-S", "-c", script, str(ROOT))), 10)

    def test_is_written_for_python_3_9(self):
        for file in SOURCES:
            ast.parse(file.read_text("utf-8"), str(file), feature_version=(3, 9))

    def test_says_the_types_of_all_that_it_defines(self):
        for file in ROOT.glob("tacet/*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    self.assertIsNotNone(node.returns, f"{file.name}: {node.name}")
        self.assertTrue((ROOT / "tacet" / "py.typed").exists())

    def test_becomes_a_wheel_that_can_be_installed(self):
        if lacking := builders_lacking():
            self.skipTest(lacking)
        offline = ["--no-index", "--no-deps", "--quiet", "--disable-pip-version-check"]
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "source"), Path(folder, "target")
            shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("__pycache__"))
            how = [*offline, "--no-build-isolation", "--wheel-dir", folder]
            python("-m", "pip", "wheel", *how, str(source))
            (wheel,) = Path(folder).glob("tacet-*.whl")
            python("-m", "pip", "install", *offline, "--target", str(target), str(wheel))
            self.assertTrue((target / "tacet" / "py.typed").exists())
            script = "import sys; sys.path.insert(0, sys.argv[1]); import tacet; print(tacet.__file__)"
            found = python("-I", "-c", script, str(target))
            self.assertEqual(Path(found.strip()).parent, target / "tacet")


class ReadmeTest(unittest.TestCase):
    def test_names_what_the_package_has(self):
        import tacet

        known = {"tacet": tacet, "pool": tacet.Pool, "encoder": tacet.Encoder}
        known["pipeline"] = tacet.Pipeline
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
        self.assertGreater(len(blocks), 4)
        for block in blocks:
            for node in ast.walk(ast.parse(block)):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    owner = known.get(node.value.id)
                    if owner is not None and not self.is_module(owner, node.attr):
                        self.assertTrue(hasattr(owner, node.attr), ast.dump(node))
                if isinstance(node, ast.ImportFrom) and node.module.startswith("tacet"):
                    file = ROOT / f"{node.module.replace('.', '/')}.py"
                    for each in node.names:
                        self.assertIn(f"def {each.name}(", file.read_text("utf-8"))

    def is_module(self, owner, name):
        return owner.__name__ == "tacet" and (ROOT / "tacet" / f"{name}.py").exists()


if __name__ == "__main__":
    unittest.main()
