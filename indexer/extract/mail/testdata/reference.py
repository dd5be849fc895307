"""Prints the words that Python's email package finds in messages: for each file named on
standard input one line of JSON, {"file": ..., "words": {word: count}}."""
import collections, email, email.policy, html.parser, json, mailbox, re, sys

PAGE = re.compile(r"\s*<(!doctype html|html|head|body|div|table|p|style|meta|center|font)[\s>].*</html>\s*$", re.I | re.S)
WORD = re.compile(r"[^\W\d_]{3,}")


class Text(html.parser.HTMLParser):
    skip = {"script", "style", "template", "noscript", "nav", "svg", "select", "button"}

    def __init__(self):
        super().__init__()
        self.out, self.depth = [], 0

    def handle_starttag(self, tag, attrs):
        self.depth += tag in self.skip
        self.out.append(" " if tag in ("br", "p", "div", "td", "tr", "li", "th", "h1", "h2", "h3", "table") else "")

    def handle_endtag(self, tag):
        self.depth = max(0, self.depth - (tag in self.skip))
        self.out.append(" " if tag in ("p", "div", "td", "tr", "li", "th", "h1", "h2", "h3", "table") else "")

    def handle_data(self, data):
        if not self.depth:
            self.out.append(data)


def content(part):
    try:
        text = part.get_content()
    except Exception:
        raw = part.get_payload(decode=True)
        if raw is None:
            return str(part.get_payload())
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("windows-1252", "replace")
    return text if isinstance(text, str) else ""


def body(part):
    kind = part.get_content_type()
    text = content(part)
    if kind == "text/html" or PAGE.match(text):
        t = Text()
        t.feed(text)
        t.close()
        return "".join(t.out)
    if kind.startswith("text/"):
        return text
    return ""


def texts(part, out, depth=0):
    kind = part.get_content_type()
    if depth > 10 or kind == "multipart/encrypted":
        return
    if kind == "multipart/alternative" and part.is_multipart():
        forms = []
        for f in part.get_payload():
            forms.append([])
            texts(f, forms[-1], depth + 1)
        forms = [" ".join(w for w in " ".join(f).split() if "://" not in w and "mailto:" not in w) for f in forms]
        plain = [t for f, t in zip(part.get_payload(), forms) if f.get_content_type() == "text/plain" and t.strip()]
        chosen = (plain or forms[-1:] or [""])[0]
        known = set(WORD.findall(chosen.lower()))
        out.append(chosen)
        for t in forms:  # what another form says and this one does not, once
            more = set(WORD.findall(t.lower())) - known
            known |= more
            out.append(" ".join(sorted(more)))
    elif kind == "message/rfc822" and part.is_multipart():
        message(part.get_payload(0), out, depth + 1)
    elif part.is_multipart():
        for p in part.get_payload():
            texts(p, out, depth + 1)
    elif not kind.startswith(("image/", "audio/", "video/", "application/", "message/")):
        out.append(body(part))


def message(m, out, depth=0):
    for name in ("subject", "from", "to", "cc"):
        try:
            out.extend(str(v) for v in m.get_all(name, [])[:1])
        except Exception:
            pass
    texts(m, out, depth)


for line in sys.stdin:
    path = line.rstrip("\n")
    out = []
    with open(path, "rb") as f:
        data = f.read()
    if data.startswith(b"From ") and data.count(b"\nFrom ") > 0:
        for m in mailbox.mbox(path, factory=lambda f: email.message_from_binary_file(f, policy=email.policy.default), create=False):
            message(m, out)
    else:
        message(email.message_from_bytes(data, policy=email.policy.default), out)
    words = collections.Counter(w.lower() for t in out for w in WORD.findall(t))
    print(json.dumps({"file": path, "words": words}), flush=True)
