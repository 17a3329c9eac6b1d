# How the operator tests work: each family file here (one that defines CASES) becomes one package with a
# method per case, every engine runs that package once, and test_ops.py compares each case's outputs with
# PyTorch's. To add a family, write a file with `CASES = [case("aten.relu.default", x), ...]`; to add a case,
# add a line. The build looks for op names as whole literals. Non-contiguous tensors reach the operator as
# strided views; Stored(tensor) makes a constant of the package.
"""Packages of cases, and what engines make of them."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from case import Case, Stored

from plumb.package import program as p
from plumb.package.container import Package, write_package
from plumb.package.safetensors import Constant
from plumb_process import engine_arguments

HERE = Path(__file__).parent

SCALAR_TYPES = {
    torch.uint8: p.ScalarType.BYTE,
    torch.int8: p.ScalarType.CHAR,
    torch.int16: p.ScalarType.SHORT,
    torch.int32: p.ScalarType.INT,
    torch.int64: p.ScalarType.LONG,
    torch.float16: p.ScalarType.HALF,
    torch.float32: p.ScalarType.FLOAT,
    torch.float64: p.ScalarType.DOUBLE,
    torch.bool: p.ScalarType.BOOL,
    torch.bfloat16: p.ScalarType.BFLOAT16,
    torch.uint16: p.ScalarType.UINT16,
    torch.uint32: p.ScalarType.UINT32,
    torch.uint64: p.ScalarType.UINT64,
}


def families() -> dict[str, list[Case]]:
    found = {}
    for path in sorted(HERE.glob("*.py")):
        if path.stem.startswith("test_") or path.stem in ("case", "harness", "conftest"):
            continue
        found[path.stem] = importlib.import_module(path.stem).CASES
    return found


def method_name(index: int, case: Case) -> str:
    return f"case_{index}_{case.op.replace('.', '_')}"


@dataclass
class MethodBuilder:
    """Builds the method of one case: its inputs, one node, its outputs."""

    name: str
    constants: dict[str, Constant]
    inputs: list[torch.Tensor] = field(default_factory=list)
    method: p.Method = field(init=False)

    def __post_init__(self) -> None:
        self.method = p.Method(self.name, p.Graph())

    def build(self, case: Case) -> p.Method:
        types = case.declared_types()
        arguments = [
            p.NamedArgument(name, p.Argument(self._argument(value, types.get(name, ""))))
            for name, value in case.arguments().items()
        ]
        results = [self._value(f"result_{i}", tensor) for i, tensor in enumerate(case.expected())]
        if case.returns_list():
            outputs = [p.Output("", kind=p.OutputValueKind.TENSOR_LIST, names=results)]
        else:
            outputs = [p.Output(name) for name in results]
        graph = self.method.graph
        graph.nodes.append(p.Node("call", p.OpKind.CALL_FUNCTION, f"torch.ops.{case.op}", arguments, outputs))
        returned = [p.NamedArgument(None, p.Argument(p.TensorArg(name))) for name in results]
        graph.nodes.append(p.Node("output", p.OpKind.OUTPUT, inputs=returned))
        graph.outputs = results
        self.method.output_specs = [p.OutputSpec(name) for name in results]
        return self.method

    def _argument(self, value: Any, declared: str) -> Any:
        if isinstance(value, torch.Tensor):
            return p.TensorArg(self._input(value))
        if isinstance(value, Stored):
            return p.TensorArg(self._constant(value.tensor))
        if isinstance(value, (list, tuple)):
            return self._list(list(value), declared)
        if value is None:
            return p.NoneArg()
        if isinstance(value, bool):
            return p.BoolArg(value)
        if isinstance(value, int):
            return p.FloatArg(float(value)) if declared in ("float", "Optional[float]") else p.IntArg(value)
        if isinstance(value, float):
            return p.FloatArg(value)
        if isinstance(value, torch.dtype):
            return p.ScalarTypeArg(SCALAR_TYPES[value])
        return p.StringArg(str(value))

    def _list(self, items: list[Any], declared: str) -> Any:
        if "Tensor" in declared:
            names = ["" if item is None else self._argument(item, "").name for item in items]
            if "Optional[Tensor]" in declared:
                return p.OptionalTensorListArg(names, [item is not None for item in items])
            return p.TensorListArg(names)
        if "float" in declared:
            return p.FloatListArg([float(item) for item in items])
        if "bool" in declared:
            return p.BoolListArg(items)
        return p.IntListArg(items)

    def _input(self, tensor: torch.Tensor) -> str:
        """Adds an input; a tensor with dimensions in another order in memory is a view of one."""
        order = sorted(range(tensor.dim()), key=lambda dim: -tensor.stride(dim))
        in_memory = tensor.permute(order)
        if tensor.is_contiguous() or not in_memory.is_contiguous():
            return self._placeholder(tensor.contiguous())
        source = self._placeholder(in_memory)
        view = self._value(f"{source}_view", tensor)
        dims = [order.index(dim) for dim in range(tensor.dim())]
        inputs = [
            p.NamedArgument("self", p.Argument(p.TensorArg(source))),
            p.NamedArgument("dims", p.Argument(p.IntListArg(dims))),
        ]
        op = "torch.ops.aten.permute.default"
        self.method.graph.nodes.append(p.Node(view, p.OpKind.CALL_FUNCTION, op, inputs, [p.Output(view)]))
        return view

    def _placeholder(self, tensor: torch.Tensor) -> str:
        name = self._value(f"input_{len(self.inputs)}", tensor)
        self.inputs.append(tensor)
        self._add_placeholder(name)
        self.method.graph.inputs.append(name)
        return name

    def _constant(self, tensor: torch.Tensor) -> str:
        name = f"constant_{len(self.method.constants)}"
        key = f"{self.name}.{name}"
        data = _bytes_of(tensor)
        meta = _meta(tensor)
        self.constants[key] = Constant(meta.dtype, tuple(tensor.shape), memoryview(data))
        self.method.constants.append(p.NamedTensorRef(name, key, meta, p.InputKind.PARAMETER))
        self._add_placeholder(name)
        return name

    def _add_placeholder(self, name: str) -> None:
        # Placeholders come first, views and the call after them.
        nodes = self.method.graph.nodes
        place = sum(node.op_kind == p.OpKind.PLACEHOLDER for node in nodes)
        nodes.insert(place, p.Node(name, p.OpKind.PLACEHOLDER, outputs=[p.Output(name)]))

    def _value(self, name: str, tensor: torch.Tensor) -> str:
        self.method.graph.tensor_values.append(p.TensorValue(name, _meta(tensor)))
        return name


def _meta(tensor: torch.Tensor) -> p.TensorMeta:
    return p.TensorMeta(
        SCALAR_TYPES[tensor.dtype], [p.Dim(n, n) for n in tensor.shape], list(range(tensor.dim()))
    )


def _bytes_of(tensor: torch.Tensor) -> np.ndarray:
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy()


@dataclass
class FamilyPackage:
    """The package of one family in `folder`, with the inputs of every case as files."""

    cases: list[Case]
    folder: Path
    inputs: list[list[Path]] = field(default_factory=list)

    def __post_init__(self) -> None:
        constants: dict[str, Constant] = {}
        methods = []
        for index, case in enumerate(self.cases):
            builder = MethodBuilder(method_name(index, case), constants)
            methods.append(builder.build(case))
            self.inputs.append([self._save(index, i, tensor) for i, tensor in enumerate(builder.inputs)])
        write_package(self.path, Package(p.Program(p.FORMAT_VERSION, methods), constants))

    @property
    def path(self) -> Path:
        return self.folder / "family.ptn"

    def _save(self, index: int, number: int, tensor: torch.Tensor) -> Path:
        is_bfloat16 = tensor.dtype == torch.bfloat16
        path = self.folder / f"case_{index}_input_{number}{'.bf16' if is_bfloat16 else ''}.npy"
        np.save(path, tensor.view(torch.uint16).numpy() if is_bfloat16 else tensor.numpy())
        return path

    def steps(self, index: int) -> list[str]:
        """Command line arguments that execute one case."""
        inputs = ",".join(str(path) for path in self.inputs[index])
        return ["--method", method_name(index, self.cases[index]), "--inputs", inputs]


@dataclass(frozen=True)
class Target:
    """An engine, and an instruction set where it has several."""

    engine: str
    isa: str = ""

    def __str__(self) -> str:
        return f"{self.engine}-{self.isa}" if self.isa else self.engine

    def arguments(self) -> list[str]:
        return engine_arguments(self.engine, self.isa)


@dataclass
class FamilyRun:
    """What one target made of a family: all cases in one process, or one by one to tell which ones failed."""

    plumb: Path
    package: FamilyPackage
    target: Target
    folder: Path
    errors: dict[int, str] = field(default_factory=dict)
    plans: dict[int, str] = field(default_factory=dict)  # what --explain says of each case

    def __post_init__(self) -> None:
        count = len(self.package.cases)
        self._places = {i: self.folder / "all" / str(i) for i in range(count)}
        if count == 1:
            self._places = {0: self.folder / "all"}
        if self._run(range(count), self.folder / "all") is None:
            return
        for i in range(count):
            self._places[i] = self.folder / f"case_{i}"
            error = self._run([i], self._places[i])
            if error is not None:
                self.errors[i] = error

    def outputs(self, index: int) -> list[torch.Tensor]:
        count = len(self.package.cases[index].expected())
        return [_load(self._places[index], i) for i in range(count)]

    def kernels(self, index: int) -> list[tuple[str, str, str]]:
        """Engine, op and kernel of every step of a case's plan."""
        rows = re.findall(r"^\d+ +\S+ +(\S+) +(\w+)/(\S+)", self.plans[index], re.MULTILINE)
        return [(engine, op, kernel) for op, engine, kernel in rows]

    def _run(self, indices: Any, folder: Path) -> str | None:
        """The error, or None."""
        command = [str(self.plumb), "run", "--package", str(self.package.path), "--outputs", str(folder)]
        command += ["--explain", "--json"]
        command += self.target.arguments()
        for index in indices:
            command += self.package.steps(index)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            plans = re.split(r"^(?=\d+ steps, )", json.loads(done.stdout)["plan"], flags=re.MULTILINE)[1:]
            self.plans.update(zip(indices, plans, strict=True))
            return None
        return f"exit code {done.returncode}: {done.stderr.strip()}"


def _load(folder: Path, number: int) -> torch.Tensor:
    raw = folder / f"out{number}.bf16.npy"
    if raw.exists():
        return torch.from_numpy(np.load(raw)).view(torch.bfloat16)
    return torch.from_numpy(np.load(folder / f"out{number}.npy"))
