"""Makes short how-to notes, with questions about them, out of the tldr pages among the examples.

People's notes say what a command is for in a heading and a sentence or two, and
then show it; questions share words with the heading more than with the
sentence. The notes and questions are made by rules, the words are those of the
pages; a sixth of the sentences say nothing of the question, as such sentences
often do.
"""

import random
import re
from pathlib import Path

from sources import read_json_lines

ENTRY = re.compile(r"^- (.+):\n`([^`\n]+)`$", re.MULTILINE)
SUMMARY = re.compile(r"^> (.+)$", re.MULTILINE)
LEADS = [
    "To {what}, run:", "You can {what} with `{tool}`:", "Use this to {what}:", "This is how to {what}:",
    "Need to {what}? There is a command for that.", "The `{tool}` command can {what}.", "I often want to {what}.",
    "{summary}\n\nTo {what}:", "{summary} It can be used to {what}:", "{summary} Here is how to {what}.",
    "{summary}\n\nThis can be done with `{tool}`:", "There is a tool for this, `{tool}`.", "Here is what I use:",
]
TAILS = ["", "", "See `man {tool}` for more details.", "{summary}", "See `{tool} --help` for more details.",
         "The `{tool}` command has many more options.", "[source](https://example.com/{tool})"]
ASKS = ["how do I {what}?", "how to {what}", "how can I {what}?", "{what}", "command to {what}", "how do you {what}?",
        "what is the command to {what}?", "{tool}: {what}", "how do I {what} with {tool}?",
        "what does {tool} do to {what}?",
        "which command lets me {what}?", "{tool} {what}"]
NEITHER = 0.25  # share of the questions whose note is not there
LANGUAGES = ["bash", "", "sh", "console"]


class Notes:
    """The commands of tldr pages as notes."""

    def __init__(self, path: Path, seed: int):
        self.random, self.entries = random.Random(f"{seed} notes"), {}
        for row in read_json_lines(path):
            for p in row["passages"] if row["source"] == "tldr" else []:
                summary = SUMMARY.search(p["text"])
                for what, command in ENTRY.findall(p["text"]):
                    if len(what) < 90 and len(command) < 120:
                        tool = command.removeprefix("sudo ").split()[0]
                        self.entries[what[0].lower() + what[1:], command] = (tool, summary[1] if summary else "")
        self.commands = sorted(self.entries)
        self.by_word: dict[str, list[int]] = {}
        for i, (what, _) in enumerate(self.commands):
            for word in set(re.findall(r"\w{4,}", what.lower())):
                self.by_word.setdefault(word, []).append(i)

    def note(self, i: int) -> dict:
        """A passage about a command; its title is a heading."""
        what, command = self.commands[i]
        tool, summary = self.entries[what, command]
        names = {"what": re.sub(r" ?\([^)]*\)", "", what), "tool": tool, "summary": summary or f"`{tool}` is useful."}
        lead, tail = (self.random.choice(c).format(**names) for c in (LEADS, TAILS))
        code = f"```{self.random.choice(LANGUAGES)}\n{self.random.choice(['$ ', '$ ', ''])}{command}\n```"
        text = "\n\n".join(part for part in (lead, code, tail) if part)
        if self.random.random() < 0.25:  # another command of some other note behind it
            text += "\n\n" + self.second()
        return {"title": f"note.md: {names['what'].title()}", "text": text}

    def second(self) -> str:
        """A sentence and a command about something else."""
        what, command = self.random.choice(self.commands)
        return f"You can also {what}:\n\n```\n$ {command}\n```"

    def near(self, i: int) -> int:
        """Another command that shares a word with one."""
        words = re.findall(r"\w{4,}", self.commands[i][0].lower())
        found = self.by_word.get(self.random.choice(words), []) if words else []
        return self.random.choice(found or range(len(self.commands)))

    def question(self, i: int) -> str:
        """A question whose answer a command is, with a word or two left out now and then."""
        what, command = self.commands[i]
        names = {"what": re.sub(r" ?\([^)]*\)", "", what), "tool": self.entries[what, command][0]}
        asked = self.random.choice(ASKS).format(**names)
        words = [w for w in asked.split() if self.random.random() > 0.06]
        return " ".join(words) or asked

    def row(self) -> dict:
        """A question with three notes, one of which answers, or none, as answers/prepare.py writes examples."""
        i = self.random.randrange(len(self.commands))
        others = [j for j in (self.near(i), self.near(i), self.random.randrange(len(self.commands)))
                  if self.commands[j][1] != self.commands[i][1]]
        missing = self.random.random() < NEITHER
        shown = others if missing else [i, *others[:2]]
        self.random.shuffle(shown)
        gold = [] if missing else [shown.index(i) + 1]
        asks = [{"question": self.question(i), "gold": gold, "answers": [] if missing else [self.commands[i][1]]}]
        return {"source": "notes", "asks": asks, "passages": [self.note(j) for j in shown]}
