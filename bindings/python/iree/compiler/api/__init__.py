# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler in this process: iree/compiler/embedding_api.h as objects.

    with Session() as session:
        session.set_flags("--iree-hal-target-backends=llvm-cpu")
        invocation = session.invocation()
        invocation.enable_console_diagnostics()
        source = Source.wrap_buffer(session, text)              # or open_file(session, path)
        output = Output.open_membuffer()                        # or open_file(path), kept by keep()
        if invocation.parse_source(source) and invocation.execute():
            invocation.output_vm_bytecode(output)
            vmfb = bytes(output.map_memory())

Sessions are independent: many threads may use one each. Other threads run while one compiles.
"""
from .ctypes_dl import Invocation, Output, PipelineType, Session, Source, _initializeGlobalCL

__all__ = ["Invocation", "Output", "PipelineType", "Session", "Source"]
