# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Timepoints of other runtimes, as IREE's GPU drivers exchange them."""
from .enums import ExternalTimepointFlags, ExternalTimepointType, SemaphoreCompatibility

__all__ = ["HalExternalTimepoint"]


class HalExternalTimepoint:
    """An event of CUDA or HIP that a semaphore's value stands for; local devices exchange none."""

    def __init__(self):
        self.type = int(ExternalTimepointType.NONE)
        self.flags = int(ExternalTimepointFlags.NONE)
        self.compatibility = int(SemaphoreCompatibility.NONE)
        self._event = 0

    def _set(self, event, kind):
        if self.type == ExternalTimepointType.NONE:
            self.type = int(kind)
        if self.type != kind:
            raise ValueError("a timepoint of type %s holds no %s" % (ExternalTimepointType(self.type).name, kind.name))
        self._event = int(event)

    @property
    def cuda_event(self):
        """The address of the event."""
        return self._event

    @cuda_event.setter
    def cuda_event(self, event):
        self._set(event, ExternalTimepointType.CUDA_EVENT)

    @property
    def hip_event(self):
        """The address of the event."""
        return self._event

    @hip_event.setter
    def hip_event(self, event):
        self._set(event, ExternalTimepointType.HIP_EVENT)
