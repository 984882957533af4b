"""A conversation as Claude Code logs it: a tree, in which each line names the one that it hangs on."""

import json
import os
import time

BEGAN = time.time() - 7200


class Tree:
    """``at``: the line that the next one hangs on; ``back`` sets it, as a person does who goes back."""

    def __init__(self, folder, name="talk"):
        self.path = os.path.join(folder, f"{name}.jsonl")
        self.at = None
        self.count = 0

    def user(self, text, **fields):
        """The person's words; the line's id."""
        return self.log("user", {"role": "user", "content": text}, promptId=f"p{self.count}", **fields)

    def model(self, text, tokens=0):
        """The model's answer."""
        usage = {"usage": {"input_tokens": tokens, "output_tokens": 1}} if tokens else {}
        content = [{"type": "text", "text": text}]
        return self.log("assistant", {"role": "assistant", "model": "m", "content": content, **usage})

    def turn(self, said, answer="Done.", **fields):
        """Words and their answer; the ids of both lines."""
        return self.user(said, **fields), self.model(answer)

    def tool(self, command):
        """A call with its result, and what a hook said to it, which hangs on the call as the result does."""
        use = {"type": "tool_use", "id": f"t{self.count}", "name": "Bash", "input": {"command": command}}
        asked = self.log("assistant", {"role": "assistant", "model": "m", "content": [use]})
        self.log("attachment", None, attachment={"type": "hook_success"})
        self.at = asked
        return self.log("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use["id"]}]})

    def compact(self, logical, **metadata):
        """The line of a compaction, and its summary."""
        given = {"subtype": "compact_boundary", "logicalParentUuid": logical, "compactMetadata": metadata}
        self.at = None
        self.log("system", None, **given)
        return self.user("A summary.", isCompactSummary=True)

    def back(self, line):
        self.at = line

    def log(self, kind, message, **fields):
        self.count += 1
        name = f"u{self.count}"
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(BEGAN + 20 * self.count))
        record = {"parentUuid": self.at, "isSidechain": False, "type": kind, "uuid": name, "timestamp": at, **fields}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record | ({"message": message} if message else {}), separators=(",", ":")) + "\n")
        self.at = name
        return name
