"""A browser without a window, driven through the Chrome DevTools Protocol over a pipe: for tests of pages.

    with Browser.find() as browser: browser.open(path); browser.evaluate("1 + 1"); browser.click(10, 20); browser.press("n")

Needs Chromium (Debian: chromium). Nothing is downloaded: the browser gets no network.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ("chromium", "google-chrome", "chrome")


class Browser:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery-browser-", ignore_cleanup_errors=True)
        (to_read, self.to), (self.back, to_write) = os.pipe(), os.pipe()
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_read, to_write)]  # it reads from 3 and writes to 4
        begin = f"import os, sys; os.dup2({high[0]}, 3); os.dup2({high[1]}, 4); os.execvp(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", begin, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--remote-debugging-pipe", "--hide-scrollbars", "--window-size=1400,1000", "--disable-dev-shm-usage",
                   "--proxy-server=127.0.0.1:9", "--user-data-dir=" + self.folder.name, "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=high, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        for fd in (to_read, to_write, *high):
            os.close(fd)
        self.number, self.buffer, self.session, self.errors = 0, b"", None, []
        target = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(domain + ".enable")

    @classmethod
    def find(cls):
        """A browser, or None."""
        program = next(filter(None, map(shutil.which, NAMES)), None)
        return cls(program) if program else None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.folder.cleanup()

    # -- the protocol ---------------------------------------------------------------------------------

    def read(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.back, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def note(self, message):
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            detail = parameters["exceptionDetails"]
            self.errors.append(detail.get("exception", {}).get("description", detail["text"]))
        elif message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
        elif message.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(str(parameters["args"]))

    def send(self, method, seconds=120, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(seconds)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    # -- what a person does ---------------------------------------------------------------------------

    def open(self, path):
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait('document.documentElement?.dataset.ready === "yes"')

    def evaluate(self, script):
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return answer["result"].get("value")

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} does not become true: {self.errors}")
            time.sleep(0.05)

    def settle(self):
        """Until what was asked for is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def box(self, selector):
        return self.evaluate(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
                             " const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()")

    def click(self, selector, across=0.5, down=0.5):
        x, y, width, height = self.box(selector)
        place = {"x": x + width * across, "y": y + height * down, "button": "left", "clickCount": 1}
        self.send("Input.dispatchMouseEvent", type="mousePressed", **place)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", **place)
        self.settle()

    def wheel(self, selector, by, across=0.5, down=0.5):
        x, y, width, height = self.box(selector)
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=x + width * across, y=y + height * down, deltaX=0, deltaY=by)
        self.settle()

    def press(self, key, text=None):
        code = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(key, 0)
        typed = {"text": text or key} if len(key) == 1 or text else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **typed)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settle()

    def type(self, selector, text):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).select()")
        self.send("Input.insertText", text=text)
        self.settle()

    def screenshot(self):
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def accessible(self):
        """[role, name] of what a screen reader tells."""
        self.send("Accessibility.enable")
        nodes = self.send("Accessibility.getFullAXTree")["nodes"]
        return [[node["role"]["value"], node.get("name", {}).get("value", "")] for node in nodes if not node["ignored"]]
