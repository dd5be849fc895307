"""Reads the training folders and source trees as collections of questions.

A collection is a list of documents and a list of questions, each with the one
document that answers it and the group (page, article, paper, package) that it
came from. Groups matter twice: hard negatives lie in the same group, and what
is held out for validation is held out by whole groups.
"""

import ast
import gzip
import json
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass
class Question:
    """A question and the document that answers it."""

    text: str
    document: int  # index into the collection's documents
    group: str
    answer: str = ""  # a span of the document, where known


@dataclass
class Collection:
    """Documents, and questions about them."""

    name: str
    documents: list[tuple[str, str]] = field(default_factory=list)  # title, text
    groups: list[str] = field(default_factory=list)  # of each document
    questions: list[Question] = field(default_factory=list)
    held_out: set[str] = field(default_factory=set)  # groups never trained on

    def __post_init__(self):
        """Begins without documents."""
        self._ids = {}

    def add_document(self, title: str, text: str, group: str) -> int:
        """Returns the index of a document, a new one if the text is new."""
        text = text.strip()
        if text not in self._ids:
            self._ids[text] = len(self.documents)
            self.documents.append((title.strip(), text))
            self.groups.append(group)
        return self._ids[text]

    def add(self, query: str, title: str, text: str, group: str, answer: str = "") -> None:
        """Adds a question with its document."""
        query = " ".join(query.split())
        if query and text.strip():
            self.questions.append(Question(query, self.add_document(title, text, group), group, answer))


def read_json_lines(path: Path):
    """Yields the records of a file of JSON lines."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def pairs(folder: Path, limit: int, rng: random.Random) -> Collection:
    """Reads pairs.jsonl; keeps whole groups, drawn at random, up to limit questions."""
    rows = []
    for row in read_json_lines(folder / "pairs.jsonl"):
        if "question" in row:  # MedQuAD's own field names
            row = {"query": row["question"], "title": "", "text": row["answer"], "group": row["source"]}
        rows.append(row)
    groups = sorted({row["group"] for row in rows})
    rng.shuffle(groups)
    by_group: dict[str, list] = {group: [] for group in groups}
    for row in rows:
        by_group[row["group"]].append(row)
    collection = Collection(folder.name)
    for group in groups:
        if len(collection.questions) >= limit:
            break
        for row in by_group[group]:
            collection.add(row["query"], row["title"], row["text"], group, row.get("answer", ""))
    return collection


def squad(folder: Path) -> Collection:
    """Reads the answerable questions of a SQuAD 2 folder in BEIR layout."""
    collection = Collection(folder.name)
    place = {}
    for row in read_json_lines(folder / "corpus.jsonl"):
        place[row["_id"]] = collection.add_document(row["title"], row["text"], row["title"])
    positive = {}
    for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            positive[query] = place[document]
    for row in read_json_lines(folder / "queries.jsonl"):
        if row["_id"] in positive:
            document = positive[row["_id"]]
            answers = row["metadata"].get("answers") or [""]
            collection.questions.append(Question(row["text"], document, collection.groups[document], answers[0]))
    return collection


def conclusions(folder: Path) -> Collection:
    """PubMedQA's conclusions as statements to find support for.

    The text of a record is the abstract without its conclusion, and its answer
    is the conclusion: a claim, and the study that backs it.
    """
    collection = Collection("conclusions")
    for row in read_json_lines(folder / "pairs.jsonl"):
        first = SENTENCE_END.split(row["answer"])[0]
        collection.add(first, row["title"], row["text"], row["group"])
    return collection


def sentences(sources: list[Collection], count: int, rng: random.Random) -> Collection:
    """Takes one sentence out of a passage; the rest is the document to find.

    Passages that nothing is taken out of are left out, so that a document's
    being whole says nothing about its relevance. So are groups that are held
    out where they come from.
    """
    collection = Collection("sentences")
    pool = [(title, text, f"{source.name}/{group}") for source in sources
            for (title, text), group in zip(source.documents, source.groups, strict=True)
            if group not in source.held_out]
    rng.shuffle(pool)
    for title, text, group in pool:
        if len(collection.questions) == count:
            break
        parts = SENTENCE_END.split(text)
        usable = [i for i, part in enumerate(parts[:8]) if 40 <= len(part) <= 250]
        if len(parts) >= 4 and usable:
            chosen = rng.choice(usable)
            collection.add(parts[chosen], title, " ".join(parts[:chosen] + parts[chosen + 1:]), group)
    return collection


def notes(folder: Path) -> Collection:
    """Titles of Markdown notes as questions; the note without its title answers."""
    collection = Collection("notes")
    for path in sorted(folder.rglob("*.md")):
        title, _, body = path.read_text(encoding="utf-8", errors="replace").partition("\n")
        if path.parent != folder and title.startswith("# "):
            collection.add(title[2:], "", body, str(path.relative_to(folder)))
    return collection


INFO_NODE = re.compile(r"\nFile: [^\n]*Node: ([^,\n]+)[^\n]*\n\n([^\x1f]*)")


def manuals(folder: Path) -> Collection:
    """Headings of GNU info manuals as questions; the section answers."""
    collection = Collection("manuals")
    for path in sorted(folder.glob("*.info*.gz")):
        text = gzip.decompress(path.read_bytes()).decode("utf-8", errors="replace")
        for node, section in INFO_NODE.findall(text):
            heading, _, body = section.strip().partition("\n")
            body = body.lstrip("=*-. \n")
            if len(heading.split()) >= 3 and len(body) >= 200 and "* Menu:" not in body:
                collection.add(heading.lstrip("0123456789. "), path.name.split(".")[0], body, f"{path.name}/{node}")
    return collection


GO_FUNCTION = re.compile(r"(?m)((?:^//[^\n]*\n)+)^(func (?:\([^)]*\) )?(\w+)[^\n]*\{\n(?:.*\n)*?\}\n)")


def go_functions(root: Path, count: int, rng: random.Random) -> Collection:
    """Doc comments of a Go source tree as descriptions of their functions."""
    found = []
    for path in sorted(root.rglob("*.go")):
        relative = path.relative_to(root)
        if path.name.endswith("_test.go") or {"testdata", "vendor", "cmd", "simd", "_gen"} & set(relative.parts):
            continue
        source = path.read_text(encoding="utf-8", errors="replace")
        for comment, body, name in GO_FUNCTION.findall(source):
            prose = " ".join(line.lstrip("/ ").strip() for line in comment.splitlines())
            found.append((described(prose, name), str(relative.parent), body, str(relative.parent)))
    return code_collection("gosource", found, count, rng)


PYTHON_LEFT_OUT = {"test", "tests", "idlelib", "lib2to3", "site-packages", "dist-packages", "lib-dynload"}


def python_functions(root: Path, count: int, rng: random.Random) -> Collection:
    """Docstrings of a Python library tree as descriptions of their functions."""
    found = []
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        if PYTHON_LEFT_OUT & set(relative.parts):
            continue
        source = path.read_text(encoding="utf-8", errors="replace")
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                comment = ast.get_docstring(node)
                if comment:
                    doc = node.body[0]
                    lines = source.splitlines()[node.lineno - 1:node.end_lineno]
                    del lines[doc.lineno - node.lineno:doc.end_lineno - node.lineno + 1]
                    found.append((described(comment, node.name), relative.stem, "\n".join(lines), str(relative)))
    return code_collection("pysource", found, count, rng)


def described(comment: str, name: str) -> str:
    """The first sentence of a comment, without the name that it explains."""
    first = SENTENCE_END.split(" ".join(comment.split()))[0]
    words = first.split()
    if words and words[0].strip("()") == name:
        words = words[1:]
    return " ".join(words)


def code_collection(name: str, found: list, count: int, rng: random.Random) -> Collection:
    """Keeps count descriptions that are long enough to mean one function."""
    found = [row for row in found if 4 <= len(row[0].split()) <= 40 and 3 <= row[2].count("\n") <= 80]
    rng.shuffle(found)
    collection = Collection(name)
    seen = set()
    for query, title, text, group in found:
        if len(collection.questions) == count:
            break
        if query not in seen:
            seen.add(query)
            collection.add(query, title, text, group)
    return collection
