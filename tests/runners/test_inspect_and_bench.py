"""`plumb inspect`, `plumb bench` and `plumb engines`."""

from __future__ import annotations

from plumb_process import BIN, RUNNER_NAMES, plumb, run_process


def test_inspect_shows_methods_values_constants_and_engines(tiny):
    result = plumb("inspect", tiny.package)
    assert result.code == 0, result.err
    for word in (
        "forward",
        "float32[1, 3, 8, 8]",
        "float32[1, 10]",
        "conv.weight",
        "convolution",
        "engine cpu",
    ):
        assert word in result.out


def test_inspect_json_has_it_all(tiny):
    report = plumb("inspect", tiny.package, "--json").json
    (method,) = report["methods"]
    assert method["name"] == "forward"
    assert [size["max"] for size in method["inputs"][0]["sizes"]] == [1, 3, 8, 8]
    assert {constant["key"] for constant in report["constants"]} == set(method["constants"])
    assert sum(op["count"] for op in method["ops"]) == 4
    assert all(engine["runs"] for engine in method["engines"])
    assert report["labels"] == 10


def test_inspect_names_what_stands_in_the_way(fixture_of):
    package = fixture_of("unknown-op").package
    report = plumb("inspect", package, "--json").json
    for engine in report["methods"][0]["engines"]:
        assert not engine["runs"]
        assert "no_such_op" in engine["blockers"][0]
    assert "no_such_op" in plumb("inspect", package).out


def test_inspect_dot_is_a_graph(tiny, fixture_of):
    result = plumb("inspect", tiny.package, "--dot")
    assert result.code == 0
    assert result.out.startswith("digraph") and "convolution" in result.out
    result = plumb("inspect", fixture_of("multi-method").package, "--dot", "--method", "subtract")
    assert "sub" in result.out


def test_inspect_refuses_a_wrong_method_and_a_missing_file(tiny, tmp_path):
    result = plumb("inspect", tiny.package, "--method", "backward")
    assert result.code == 2
    assert "forward" in result.error
    assert plumb("inspect", tmp_path / "missing.ptn").code == 2
    assert plumb("inspect").code == 1


def test_bench_times_a_method(tiny):
    report = plumb("bench", tiny.package, "--repeat", "5", "--warmup", "1", "--threads", "1", "--json").json
    assert 0 < report["min_ms"] <= report["median_ms"] <= report["p95_ms"]
    assert report["repeat"] == 5 and report["threads"] == 1
    assert report["peak_bytes"] > 0


def test_bench_profile_lists_operators(tiny):
    report = plumb(
        "bench", tiny.package, "--repeat", "2", "--profile", "--engine", "reference", "--json"
    ).json
    assert any("convolution" in op["op"] for op in report["ops"])
    assert "convolution" in plumb("bench", tiny.package, "--repeat", "2", "--profile").out


def test_bench_without_warmup_still_times_the_first_execution(tiny):
    report = plumb("bench", tiny.package, "--repeat", "1", "--warmup", "0", "--json").json
    assert report["first_ms"] > 0


def test_a_wrong_number_of_threads_is_refused_with_the_range(tiny):
    for threads in ("0", "1025"):
        result = plumb("bench", tiny.package, "--threads", threads)
        assert result.code == 1
        assert "--threads" in result.error and "1 to 1024" in result.error
    assert plumb("bench", tiny.package, "--repeat", "1", "--warmup", "0", "--threads", "8").code == 0


def test_bench_takes_the_smallest_of_dynamic_sizes(fixture_of):
    assert plumb("bench", fixture_of("dynamic").package, "--repeat", "1").code == 0


def test_engines_lists_them_with_instruction_sets():
    result = plumb("engines")
    assert result.code == 0
    assert "cpu" in result.out and "reference" in result.out and "--isa portable" in result.out
    engines = {engine["name"]: engine for engine in plumb("engines", "--json").json["engines"]}
    assert engines["reference"]["available"]
    assert {isa["name"]: isa["available"] for isa in engines["cpu"]["isas"]}["portable"]


def test_runner_names_are_installed_for_the_engines_of_this_build(tiny):
    engines = {engine["name"] for engine in plumb("engines", "--json").json["engines"]}
    expected = {
        "run_classification": "vulkan",
        "run_classification_cpu": "cpu",
        "run_classification_ggml_cpu": "ggml",
    }
    assert set(expected) == set(RUNNER_NAMES)
    for name, engine in expected.items():
        assert (BIN / name).exists() == (engine in engines)
        if engine in engines:
            report = run_process(BIN / name, *tiny.required, "--json").json
            assert report["engine"] == engine
