"""Lapidary for BenchExec: how it is called, and what its answers mean."""

import json

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64


class Tool(benchexec.tools.template.BaseTool2):
    """
    Lapidary, a configurable CEGAR model checker for C programs, automata, transition systems and circuits.
    """

    def executable(self, tool_locator):
        return tool_locator.find_executable("lapidary", subdir="target/release")

    def name(self):
        return "Lapidary"

    def project_url(self):
        # It has no page of its own yet; where it was built from is in `lapidary --version`.
        return ""

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="lapidary")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "verify", task.single_input_file, "--json"]
        if rlimits.cputime:
            words += ["--time", str(rlimits.cputime)]
        if rlimits.memory:
            words += ["--memory", str(rlimits.memory // 2**20)]
        if "--bits" not in options:
            bits = get_data_model_from_task(task, {ILP32: "32", LP64: "64"})
            words += ["--bits", bits] if bits else []
        # A property file names the error function of a C program. Definitions that `lapidary bench benchexec` writes
        # say themselves which property is meant; an empty one is what Lapidary finds by itself.
        of_task = task.options if isinstance(task.options, dict) else {}
        chosen = of_task.get("property", task.property_file)
        words += ["--property", chosen] if chosen else []
        return words + options

    def determine_result(self, run):
        report = self._report(run.output)
        # The report is the last thing that a run prints, so a whole one is enough, unless the run was ended.
        status = run.exit_code.value
        if report and status in (0, 1, 2):
            verdict, kind = report.get("verdict"), report.get("reason_kind")
            if verdict == "safe":
                return result.RESULT_TRUE_PROP
            if verdict == "unsafe":
                return result.RESULT_FALSE_REACH
            if kind in ("time", "wall-time"):
                return result.RESULT_TIMEOUT
            if kind == "memory":
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN} ({kind})" if kind else result.RESULT_UNKNOWN
        words = {64: "usage", 65: "input", 70: "internal"}
        return f"{result.RESULT_ERROR} ({words[status]})" if status in words else result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """A field of the JSON report, such as `iterations`, `nodes` or `solver_seconds`."""
        value = self._report(output) or {}
        for part in identifier.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return None if value is None else str(value)

    @staticmethod
    def _report(output):
        # Messages come before the report or not at all.
        text = "\n".join(line.rstrip("\n") for line in output)
        begin = text.find("{\n")
        try:
            return json.loads(text[begin:]) if begin >= 0 else None
        except ValueError:
            return None
