"""Makes tensor constants inside the branches of `cond` operands of it, bound in the method like others.

A nested graph of the format sees nothing but its operands, and PyTorch cannot decompose a branch that
holds tensors.
"""

from __future__ import annotations

import copy

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, InputSpec, TensorArgument
from torch.fx import GraphModule, Node

_COND = torch.ops.higher_order.cond


def lift_branch_constants(program: ExportedProgram) -> ExportedProgram:
    if not any(node.target is _COND for node in program.graph.nodes):
        return program
    module = copy.deepcopy(program.graph_module)
    needed = _lift_from_branches(module)
    if not needed:
        return program
    signature = copy.deepcopy(program.graph_signature)
    constants = dict(program.constants)
    lifted = []
    for placeholder, tensor in needed:
        target = f"branch_constant_{len(lifted)}"
        while target in constants or target in program.state_dict:
            target += "_"
        constants[target] = tensor
        lifted.append(InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(placeholder.name), target))
    signature.input_specs[:0] = lifted
    module.recompile()
    return ExportedProgram(
        module,
        module.graph,
        signature,
        program.state_dict,
        program.range_constraints,
        copy.deepcopy(program.module_call_graph),
        program.example_inputs,
        constants,
        verifiers=program.verifiers,
    )


def _lift_from_branches(module: GraphModule) -> list[tuple[Node, torch.Tensor]]:
    """Gives `module` a placeholder for each constant of its branches and returns these, in order."""
    lifted: list[tuple[Node, torch.Tensor]] = []
    first = next(iter(module.graph.nodes))
    for node in list(module.graph.nodes):
        if node.target is not _COND:
            continue
        predicate, true_branch, false_branch, operands = node.args
        branches = [getattr(module, branch.target) for branch in (true_branch, false_branch)]
        own = [_constants_of(branch) for branch in branches]
        for index, branch in enumerate(branches):
            for other, constants in enumerate(own):
                _add_operands(branch, constants, used=index == other)
        for placeholder, tensor in own[0] + own[1]:
            with module.graph.inserting_before(first):
                outer = _placeholder(module, placeholder.name, placeholder.meta["val"])
            lifted.append((outer, tensor))
            operands = (*operands, outer)
        node.args = (predicate, true_branch, false_branch, operands)
    return lifted


def _constants_of(branch: GraphModule) -> list[tuple[Node, torch.Tensor]]:
    found = _lift_from_branches(branch)
    for node in branch.graph.nodes:
        if node.op == "get_attr" and isinstance(tensor := getattr(branch, node.target, None), torch.Tensor):
            found.append((node, tensor))
    return found


def _add_operands(branch: GraphModule, constants: list[tuple[Node, torch.Tensor]], used: bool) -> None:
    """Appends one placeholder for each constant; both branches take the constants of both."""
    graph = branch.graph
    for node, tensor in constants:
        last = [each for each in graph.nodes if each.op == "placeholder" and each is not node][-1:]
        with graph.inserting_after(last[0]) if last else graph.inserting_before(next(iter(graph.nodes))):
            placeholder = _placeholder(branch, node.name, node.meta.get("val", tensor))
        if used:
            node.meta["val"] = placeholder.meta["val"]
            node.replace_all_uses_with(placeholder)
            graph.erase_node(node)
            branch._buffers.pop(node.target, None)  # else the program would have to list it as its own
    branch.recompile()


def _placeholder(module: GraphModule, name: str, value: torch.Tensor) -> Node:
    node = module.graph.placeholder(f"c_{name}")
    node.target = node.name  # which the graph has made unique
    node.meta["val"] = value
    return node
