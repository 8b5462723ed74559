# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Semaphores for asyncio."""
import threading
import warnings

__all__ = ["HalDeviceLoopBridge"]


class _Waits:
    """What the waiting thread shares with the bridge; it does not keep the bridge alive."""

    def __init__(self, device, loop):
        self.device, self.loop = device, loop
        self.lock = threading.Lock()
        self.added = []          # (semaphore, payload, value, future) that the thread has not taken yet
        self.is_stopped = False
        self.wake_up = device.create_semaphore(0)
        self.n_wake_ups = 0

    def change(self, item=None):
        with self.lock:
            if item is not None:
                if self.is_stopped:
                    raise RuntimeError("the bridge is stopped")
                self.added.append(item)
            else:
                self.is_stopped = True
            self.n_wake_ups += 1
            self.wake_up.signal(self.n_wake_ups)

    def run(self):
        pending = []
        while True:
            with self.lock:
                pending += self.added
                self.added, seen = [], self.n_wake_ups
                if self.is_stopped:
                    break
            pending = [item for item in pending if not self.is_done(*item)]
            try:
                self.device._wait_any([(s, payload) for s, payload, _, _ in pending] + [(self.wake_up, seen + 1)])
            except Exception:  # one of them failed: is_done tells which
                pass
        for _, _, _, future in pending:
            self.call(future.cancel)

    def is_done(self, semaphore, payload, value, future):
        try:
            if semaphore.query() < payload:
                return False
            self.call(self.finish, future, value, None)
        except Exception as e:
            self.call(self.finish, future, None, e)
        return True

    def call(self, function, *args):
        try:
            self.loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            pass  # the loop is closed: nobody waits any more

    @staticmethod
    def finish(future, value, exception):
        if future.done():
            return
        if exception is not None:
            future.set_exception(exception)
        else:
            future.set_result(value)


class HalDeviceLoopBridge:
    """Futures of an asyncio loop for semaphores of a device: `await bridge.on_semaphore(semaphore, 1, "value")`.

    One thread waits for all of them. At most 63 may be waited for at a time.  `stop()` ends it and cancels what is open.
    """

    def __init__(self, device, loop):
        self._waits = _Waits(device, loop)
        self._thread = threading.Thread(target=self._waits.run, name="HalDeviceLoopBridge", daemon=True)
        self._thread.start()

    def on_semaphore(self, semaphore, payload, value):
        """A future that gets `value` when `semaphore` reaches `payload`, or the RuntimeError that it fails with."""
        future = self._waits.loop.create_future()
        self._waits.change((semaphore, payload, value, future))
        return future

    def stop(self):
        """Ends the thread; open futures are cancelled."""
        if self._thread is not None:
            self._waits.change()
            self._thread.join()
            self._thread = None

    def __del__(self):
        if getattr(self, "_thread", None) is not None:
            warnings.warn("a HalDeviceLoopBridge was dropped while it runs; call stop()", ResourceWarning)
            self._waits.change()
