"""A client of the Debug Adapter Protocol, as an editor is one: for test_dap.py."""
import json
import os
import queue
import subprocess
import threading


class Client:
    """Starts `orrery debug --dap`. request() waits for the response; stopped() for the next stop."""

    def __init__(self, orrery, folder, *options):
        self.process = subprocess.Popen([orrery, "debug", "--dap", *options], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.messages, self.kept, self.sequence = queue.Queue(), [], 0
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        stream = self.process.stdout
        while True:
            length = None
            for line in iter(stream.readline, b""):
                if line == b"\r\n":
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(stream.read(length)))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, command, arguments=None):
        self.sequence += 1
        message = {"seq": self.sequence, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self.sequence

    def wait(self, wanted, timeout=60):
        for i, message in enumerate(self.kept):
            if wanted(message):
                return self.kept.pop(i)
        while True:
            message = self.messages.get(timeout=timeout)
            if message is None:
                raise EOFError("the adapter has gone")
            if wanted(message):
                return message
            self.kept.append(message)

    def answer(self, sequence):
        return self.wait(lambda message: message["type"] == "response" and message["request_seq"] == sequence)

    def request(self, command, /, **arguments):
        response = self.answer(self.send(command, arguments))
        if not response["success"]:
            raise RuntimeError(response["message"])
        return response.get("body")

    def event(self, name):
        return self.wait(lambda message: message["type"] == "event" and message["event"] == name).get("body")

    def stopped(self):
        return self.event("stopped")

    def output(self, category="stdout"):
        """All that has been printed so far."""
        while True:
            try:
                self.kept.append(self.messages.get_nowait())
            except queue.Empty:
                break
        return "".join(message["body"]["output"] for message in self.kept
                       if message and message.get("event") == "output" and message["body"]["category"] == category)

    def begin(self, program, breakpoints=(), entry=False, **more):
        """To the first stop, with breakpoints in lines of the program."""
        self.request("initialize", adapterID="orrery", linesStartAt1=True, columnsStartAt1=True, pathFormat="path",
                     supportsMemoryReferences=True, supportsProgressReporting=True)
        launched = self.send("launch", {"program": program, "stopOnEntry": entry, **more})
        self.answer(launched)
        self.event("initialized")
        result = self.request("setBreakpoints", source={"path": program}, breakpoints=[
            one if isinstance(one, dict) else {"line": one} for one in breakpoints])["breakpoints"]
        self.request("configurationDone")
        return result

    def step(self, command, rank=0, **more):
        self.request(command, threadId=rank + 1, **more)
        return self.stopped()

    def frame(self, rank=0):
        return self.request("stackTrace", threadId=rank + 1)["stackFrames"][0]

    def line(self, rank=0):
        return self.frame(rank)["line"]

    def value(self, expression, rank=0, context="hover"):
        return self.request("evaluate", expression=expression, frameId=self.frame(rank)["id"], context=context)["result"]

    def variables(self, scope, rank=0):
        for one in self.request("scopes", frameId=self.frame(rank)["id"])["scopes"]:
            if one["name"] == scope:
                self.reference = one["variablesReference"]
                return {v["name"]: v for v in self.request("variables", variablesReference=self.reference)["variables"]}
        return None

    def close(self):
        """Ends it as an editor does; returns the exit status."""
        if self.process.poll() is None:
            try:
                self.send("disconnect")
                self.process.stdin.close()
            except OSError:
                pass
        status = self.process.wait(timeout=60)
        self.thread.join(timeout=60)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except OSError:
                pass
        return status

    def is_gone(self):
        """Whether nothing is left of it, engines and snapshots included."""
        return not os.path.exists("/proc/%d" % self.process.pid)
