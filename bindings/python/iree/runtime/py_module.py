# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that programs call and Python implements."""
from . import _native

__all__ = ["PyModuleInterface"]


class PyModuleInterface:
    """A module to be: its name, its functions, and what makes the state of each context.

    module_name: what programs import from (`vm.import private @NAME.function`).  ctor(interface): called for each context
    that the module is part of; what it returns is the first argument of the functions.

        interface = PyModuleInterface("custom", State)
        interface.export("scale", "0fi_f", State.scale)     # def scale(self, x, n): return x * n
        module = interface.create()
    """

    def __init__(self, module_name, ctor):
        self._name, self._ctor, self._exports = module_name, ctor, {}
        self._initialized = self._destroyed = False

    def export(self, name, cconv, callable):
        """Adds a function.

        cconv: "0" arguments "_" results, of i I (int of 32 and 64 bits), f F (float) and r (VmRef, None for null); v: none.
        Several results are returned as a sequence.  Raises ValueError for a name that is taken or a wrong cconv.
        """
        if self._initialized:
            raise RuntimeError("the module '%s' is made; functions come before create()" % self._name)
        if name in self._exports:
            raise ValueError("a function '%s' is there already" % name)
        # Made once to be told about mistakes here.
        _native.create_python_module(None, self._name, self._ctor, ((name, cconv, callable),))
        self._exports[name] = (name, cconv, callable)

    def create(self):
        """The VmModule; once.  It keeps this object."""
        if self._initialized:
            raise RuntimeError("the module '%s' is made already" % self._name)
        module = _native.create_python_module(self, self._name, self._ctor, tuple(self._exports.values()))
        self._initialized = True
        return module

    @property
    def initialized(self):
        """Was the module made?"""
        return self._initialized

    @property
    def destroyed(self):
        """Is it gone again, with all contexts it was part of?"""
        return self._destroyed

    def __str__(self):
        state = " destroyed" if self._destroyed else " initialized" if self._initialized else ""
        return "<iree.runtime.PyModuleInterface '%s'%s>" % (self._name, state)
