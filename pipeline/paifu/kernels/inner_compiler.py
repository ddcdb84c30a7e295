"""Compiles kernels that only kernels call: into their callers, and nowhere else.

Numba makes machine code of every function, optimises it, and optimises it again inside each of its
callers. A kernel that only kernels call needs no machine code of its own. Here it stays in lowered
form and is linked into its caller, and everything is optimised once, in the kernel that Python
calls. This halves the compile time. It uses numba's documented way to set another pipeline
(``pipeline_class``), and two of its internal classes.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering


class _Linked(JITCodeLibrary):
    """Code to link into other code: it includes what it calls, and is not optimised yet."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """Lowering that stops before machine code."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        model = state.targetctx.data_model_manager[state.return_type]
        if model.contains_nrt_meminfo():
            raise TypeError(f"{state.func_id.func_qualname}: an inner kernel may not return arrays")
        state.library = _Linked(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # callers find the code by the identity of its entry point, which is never called
        entry = [lowered.fndesc].clear
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)
        return True


class InnerCompiler(CompilerBase):
    """Numba's usual pipeline with another lowering."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes of the one pipeline."""
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = PassManager("inner")
        for step, description in usual.passes:
            passes.add_pass(_InnerLowering if step is NativeLowering else step, description)
        passes.finalize()
        return [passes]
