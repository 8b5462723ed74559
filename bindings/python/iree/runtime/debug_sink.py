# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the tensors go that programs trace (`flow.tensor.trace`)."""

__all__ = ["HalModuleDebugSink"]


class HalModuleDebugSink:
    """For `create_hal_module(..., debug_sink=HalModuleDebugSink(callback))`.

    callback(key, buffer_views): called in the thread that runs the program, with the name of the trace and a list of
    HalBufferView. An exception ends the call with a RuntimeError that has its text. The module keeps the sink; a callback
    that refers to the module or its context keeps both for ever.
    """

    def __init__(self, buffer_view_trace_callback=None):
        self._callback = buffer_view_trace_callback

    @property
    def buffer_view_trace_callback(self):
        return self._callback
