# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drivers and devices by name."""
import os
import threading
from typing import Sequence

from . import _native

__all__ = ["clear_hal_driver_cache", "create_hal_driver", "get_device", "get_driver", "get_first_device", "query_available_drivers"]

_lock = threading.RLock()
_drivers: dict[str, _native.HalDriver] = {}
_devices: dict[str, _native.HalDevice] = {}

DEFAULT_DRIVERS = ("local-task", "local-sync")


def query_available_drivers() -> list[str]:
    """Names of the drivers of this build."""
    return list(_native.query_drivers())


def create_hal_driver(device_uri: str) -> _native.HalDriver:
    """The driver that a URI, `DRIVER` or `DRIVER://...`, names; a new one.  Raises ValueError for unknown ones."""
    return _native.create_driver(device_uri.split("://", 1)[0])


def get_driver(device_uri: str) -> _native.HalDriver:
    """The driver that a URI names; made once."""
    name = device_uri.split("://", 1)[0]
    with _lock:
        if name not in _drivers:
            _drivers[name] = create_hal_driver(name)
        return _drivers[name]


def clear_hal_driver_cache() -> None:
    """Forgets the drivers that get_driver has made; they live on where they are used."""
    with _lock:
        _drivers.clear()


def get_device(device_uri: str, cache: bool = True) -> _native.HalDevice:
    """The device of a URI: the driver's default one, or the one that the rest of the URI names.

    cache: the one that was made for this URI before.  The flags of `flags.parse_flags` apply to new ones.
    """
    with _lock:
        if cache and device_uri in _devices:
            return _devices[device_uri]
        driver = get_driver(device_uri)
        full_uri = _native._device_uri(device_uri)
        device = driver.create_device_by_uri(full_uri) if "://" in full_uri or "?" in full_uri else driver.create_default_device()
        if cache:
            _devices[device_uri] = device
        return device


def get_first_device(device_uris: Sequence[str] | None = None, cache: bool = True) -> _native.HalDevice:
    """The device of the first URI that there is; by default of IREE_DEFAULT_DEVICE, or of the local drivers.

    Raises ValueError, with what each of them failed with.
    """
    if device_uris is None:
        given = os.environ.get("IREE_DEFAULT_DEVICE")
        device_uris = [u.strip() for u in given.split(",")] if given else DEFAULT_DRIVERS
    errors = []
    for uri in device_uris:
        try:
            return get_device(uri, cache)
        except Exception as e:  # whatever a driver fails with, the next may do
            errors.append("%s: %s" % (uri, e))
    raise ValueError("No device found from list:\n  " + "\n  ".join(errors))
