# SPDX-License-Identifier: MIT
"""Builds the engine and the module by CMake, in a folder of their own."""
import pathlib
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

project = pathlib.Path(__file__).resolve().parents[2]


class BuildByCMake(build_ext):
    def build_extension(self, extension: Extension) -> None:
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        build = pathlib.Path(self.build_temp).resolve()
        subprocess.run(["cmake", "-S", project, "-B", build, "-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=Release",
                        "-D", "HEAPSCAPE_GUI=OFF", "-D", "HEAPSCAPE_TESTS=OFF", "-D", "HEAPSCAPE_WARNINGS=OFF",
                        "-D", "HEAPSCAPE_UNITY=ON", "-D", "HEAPSCAPE_PYTHON=ON",
                        "-D", f"HEAPSCAPE_PYTHON_FOLDER={target.parent}",
                        "-D", f"Python_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "heapscape_python"], check=True)


setup(ext_modules=[Extension("heapscape._engine", sources=[])], cmdclass={"build_ext": BuildByCMake})
