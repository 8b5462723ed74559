# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs ready to be called."""
import mmap
import os
import threading
from typing import Any, Callable, Iterable

import numpy as np

from . import _native
from .function import FunctionInvoker
from .system_setup import get_driver, get_first_device  # noqa: F401

__all__ = ["BoundModule", "BoundModules", "Config", "SystemContext", "TARGET_BACKEND_TO_DRIVER", "load_vm_flatbuffer",
           "load_vm_flatbuffer_file", "load_vm_module", "load_vm_modules", "normalize_value"]

# Which driver runs what a target backend makes.
TARGET_BACKEND_TO_DRIVER = {"llvm-cpu": "local-task", "vmvx": "local-task", "vulkan-spirv": "vulkan"}

_instance_lock = threading.Lock()
_instance: _native.VmInstance | None = None


def _shared_instance():
    global _instance
    with _instance_lock:
        if _instance is None:
            _instance = _native.VmInstance()
        return _instance


def _map_file(path):
    """The bytes of a file, mapped; the extension calls this."""
    with open(os.fspath(path), "rb") as f:  # a number would be a descriptor, and closed
        try:
            return mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError as e:
            raise ValueError("%s is empty" % path) from e


class Config:
    """What programs run on: `Config("local-task")`, `Config(device=...)`, or the first of `Config("vulkan,local-task")`.

    device: a HalDevice.  vm_instance: types that all programs share.  default_vm_modules: the module `hal`.
    """

    def __init__(self, driver_name: str | None = None, *, device: _native.HalDevice | None = None):
        if driver_name is not None and device is not None:
            raise ValueError("give a driver's name or a device, not both")
        self.vm_instance = _shared_instance()
        if device is None:
            device = get_first_device(driver_name.split(",") if driver_name is not None else None)
        self.device = device
        self.default_vm_modules = (_native.create_hal_module(self.vm_instance, device),)


def normalize_value(value):
    """What a program would get for `value`: arrays of 32-bit numbers for Python's, int8 for bool; lists and the like as they are."""
    if value is None or isinstance(value, (list, tuple, dict)):
        return value
    array = np.asarray(value)
    if isinstance(value, (bool, int, float)):
        array = array.astype({np.dtype(np.float64): np.float32, np.dtype(np.int64): np.int32}.get(array.dtype, array.dtype))
    return array.astype(np.int8) if array.dtype == bool else array


class BoundModule:
    """A module of a context; its functions are attributes and items."""

    def __init__(self, context, vm_module):
        self._context = context
        self._vm_module = vm_module
        self._functions = {}

    @property
    def name(self) -> str:
        return self._vm_module.name

    @property
    def vm_module(self) -> _native.VmModule:
        return self._vm_module

    def __getattr__(self, name: str) -> FunctionInvoker:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as e:
            raise AttributeError(str(e.args[0])) from None

    def __getitem__(self, name: str) -> FunctionInvoker:
        function = self._functions.get(name)
        if function is None:
            vm_function = self._vm_module.lookup_function(name)
            if vm_function is None:
                raise KeyError("module '%s' has no function '%s'; it has %s" % (self.name, name, ", ".join(self._names())))
            function = FunctionInvoker(self._context.vm_context, self._context.config.device, vm_function)
            self._functions[name] = function
        return function

    def _names(self):
        return [n for n in self._vm_module.function_names if not n.startswith("__")]

    def __dir__(self):
        return self._names() + ["name", "vm_module"]

    def __repr__(self):
        return "<BoundModule %r>" % self._vm_module


class BoundModules(dict[str, BoundModule]):
    """Modules of a context by name, as items and attributes."""

    def __getattr__(self, name: str) -> BoundModule:
        try:
            return self[name]
        except KeyError:
            raise AttributeError("no module '%s'; there are %s" % (name, ", ".join(self))) from None


class SystemContext:
    """Modules with their state on one device.

    Without `vm_modules` the context is dynamic: modules are added one by one.
    """

    def __init__(self, vm_modules: Iterable[_native.VmModule] | None = None, config: Config | None = None):
        self._config = config if config is not None else Config()
        self._is_dynamic = vm_modules is None
        vm_modules = () if vm_modules is None else vm_modules
        defaults = self._config.default_vm_modules
        if self._is_dynamic:
            self._vm_context = _native.VmContext(self._config.vm_instance)
            self._vm_context.register_modules(list(defaults))
            modules = list(defaults)
        else:
            modules = list(defaults) + [m for m in vm_modules if m not in defaults]
            self._vm_context = _native.VmContext(self._config.vm_instance, modules)
        self._modules = BoundModules((m.name, BoundModule(self, m)) for m in modules)

    @property
    def vm_context(self) -> _native.VmContext:
        return self._vm_context

    @property
    def is_dynamic(self) -> bool:
        return self._is_dynamic

    @property
    def config(self) -> Config:
        return self._config

    @property
    def instance(self) -> _native.VmInstance:
        return self._config.vm_instance

    @property
    def modules(self) -> BoundModules:
        return self._modules

    def add_vm_modules(self, vm_modules: Iterable[_native.VmModule]) -> None:
        """Adds modules; raises ValueError for a static context or a name that is taken."""
        vm_modules = list(vm_modules)
        if not self._is_dynamic:
            raise ValueError("the context was made with its modules; make it without to add some")
        for m in vm_modules:
            if m.name in self._modules:
                raise ValueError("a module '%s' is there already" % m.name)
        self._vm_context.register_modules(vm_modules)
        for m in vm_modules:
            self._modules[m.name] = BoundModule(self, m)

    def add_vm_module(self, vm_module: _native.VmModule) -> None:
        """Adds one module."""
        self.add_vm_modules([vm_module])

    add_module = add_vm_module

    def add_module_dependency(self, name: str, minimum_version: int = 0) -> None:
        """Adds one of the runtime's own modules by its name.  Raises ValueError for a name that is none."""
        self.add_vm_module(_native.VmModule.resolve_module_dependency(self.instance, name, minimum_version))


def load_vm_modules(*vm_modules: _native.VmModule, config: Config | None = None) -> list[BoundModule]:
    """BoundModules of the given ones, in one new context."""
    context = SystemContext(vm_modules=vm_modules, config=config)
    return [context.modules[m.name] for m in vm_modules]


def load_vm_module(vm_module: _native.VmModule, config: Config | None = None) -> BoundModule:
    """The BoundModule of one, in a new context."""
    return load_vm_modules(vm_module, config=config)[0]


def _config_of(driver, backend):
    if driver is not None and backend is not None:
        raise ValueError("give a driver or a backend, not both")
    return Config(driver if driver is not None else TARGET_BACKEND_TO_DRIVER.get(backend, backend))


def load_vm_flatbuffer(vm_flatbuffer, *, driver: str | None = None, backend: str | None = None) -> BoundModule:
    """The BoundModule of a program's bytes, which are copied."""
    config = _config_of(driver, backend)
    return load_vm_module(_native.VmModule.copy_buffer(config.vm_instance, vm_flatbuffer), config)


def load_vm_flatbuffer_file(path: str | os.PathLike, *, driver: str | None = None, backend: str | None = None,
                            destroy_callback: Callable[[], Any] | None = None) -> BoundModule:
    """The BoundModule of a program's file, which is mapped; `destroy_callback()` when it no longer is."""
    config = _config_of(driver, backend)
    return load_vm_module(_native.VmModule.mmap(config.vm_instance, path, destroy_callback), config)
