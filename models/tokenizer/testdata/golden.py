"""Writes golden.jsonl.gz: what the reference implementation makes of strings.

    python3 golden.py TOKENIZER.JSON SHARED_DATA

Needs the `tokenizers` package. Each line is either
  {"text": ..., "ids": [...], "spans": "<hash>"}             an own string, or
  {"file": ..., "line": N, "field": ..., "ids"/"spans": ...} a string of the shared data,
                                                            by position only,
or, once each, a hash of what normalisation makes of every block of 4,096 code
points, and truncated documents and pairs. Hashes are the first 16 hex digits of
sha256 over the comma-joined numbers.
"""

import gzip
import hashlib
import json
import os
import random
import sys

from tokenizers import Tokenizer

tokenizer_file, shared = sys.argv[1:3]
tok = Tokenizer.from_file(tokenizer_file)
tok.no_padding()
tok.no_truncation()


def digest(numbers):
    return hashlib.sha256(",".join(map(str, numbers)).encode()).hexdigest()[:16]


def encode(text):
    e = tok.encode(text, add_special_tokens=False)
    starts = [0]
    for c in text:
        starts.append(starts[-1] + len(c.encode("utf-8", "surrogatepass")))
    spans = [starts[p] for span in e.offsets for p in span]
    return e.ids, digest(spans)


EDGE = [
    "", " ", "\t\n\r", "Hello, World!", "don't stop", "[CLS] a [SEP] b [MASK][PAD][UNK]", "[sep] [ SEP]", "a[SEP]b",
    "[[SEP]]", "[CLS", "##ing", "#", "@@", "x" * 100, "x" * 101, "é" * 100, "é" * 101, "x" * 3000, "a\u0000b\u0007c",
    "\ufeffbom", "soft\u00adhyphen", "zero\u200bwidth\u200djoiner", "a\u00a0b\u2003c\u3000d\u2028e", "İstanbul IŞIK ıİ",
    "ΣΑΣ Σίσυφος ὈΔΥΣΣΕΎΣ", "Straße ẞ", "e\u0301a \u0301a", "q\u0323\u0307x \u1e9b\u0323", "ﬁ ﬃ Ⅷ ② ㎏",
    "中文和English混排。", "日本語のテキスト、カタカナ", "한국어 문장입니다. ㅋㅋㅋ", "สวัสดีครับ", "नमस्ते दुनिया", "مرحبا بالعالم ١٢٣",
    "שָׁלוֹם עולם", "\u1b44\u302e\u0300 a\u302e\u1b44b", "豈 更 \u2f800 \U0002f800 \U00020000", "\u1fef\u037e\u0387",
    "🦙 👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 1️⃣", "...---...", "C++ & C# <b>bold</b> `code` $HOME ~/.bashrc", "user@example.com",
    "https://example.com/a/b?c=d&e=f#g", "3.14159e-10 1,000,000 0xDEADBEEF", "snake_case camelCase kebab-case",
    "“quoted” ‘single’ «guillemets» — – …", "\U0001d400\U0001d401 mathematical", "\ue000 private \U000f0000",
    "\ufffd replacement", "\u0085 next line", "tab\tand\vvertical\ffeed", "if (a[i] != b[j]) { return -1; }",
    "SELECT * FROM t WHERE x='y';", "# Title\n\n* item **bold** [link](url)\n\n```go\nfunc main() {}\n```",
    "unaffable", "supercalifragilisticexpialidocious", "antidisestablishmentarianism", "\u16a0\u16a1 runes",
    "\u0e33\u0eb3 \u0f77", "A\u030a Å Å", "\u1734\u166d \ua7cb\u1c89", "ǅ ǈ ǋ", "\u2126 \u212a \u212b",
]

WORDS = (
    "the index holds postings of every chunk search vector graph rank fuse embed token layer prune memory budget "
    "terminal preview citation answer draft verify naïve café façade Ærøskøbing Łódź Ünïcödé straße señor déjà "
    "поиск по файлам индекс память ответ запрос быстро αναζήτηση μνήμη arama bellek tìm kiếm nhanh wyszukiwanie "
    "检索 文件 内存 索引 検索 ファイル メモリ 검색 파일 메모리 खोज फ़ाइल स्मृति ค้นหา ไฟล์ بحث ملف ذاكرة חיפוש קובץ "
    "func return err nil fmt.Errorf(\"%w\") x86_64 utf-8 HTTP/1.1 v1.31.1 --json ~/.config/dowse a_b-c.d::e 10GB 0.5s "
    "😀 🚀 ✅ → ≤ ∑ € ½ © № ™ ﬂow ｆｕｌｌｗｉｄｔｈ ①"
).split()


def generated(rng, count):
    ranges = [(0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x590, 0x6FF), (0x900, 0xDFF),
              (0xE00, 0xFFF), (0x1100, 0x11FF), (0x1E00, 0x1FFF), (0x2000, 0x2BFF), (0x3000, 0x30FF),
              (0x4E00, 0x4FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE00, 0xFFFD), (0x1F300, 0x1FAFF)]
    for i in range(count):
        if i % 3 == 0:
            yield " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 12)))
        elif i % 3 == 1:
            parts = [rng.choice(WORDS) for _ in range(rng.randint(1, 8))]
            yield "".join(p + rng.choice(["", "", " ", "\n", "-", ".", "[SEP]", "\u0301", "\u00ad", "  "]) for p in parts)
        else:
            low, high = rng.choice(ranges)
            text = (chr(rng.randint(low, high)) for _ in range(rng.randint(1, 24)))
            yield "".join(c + (" " if rng.random() < 0.15 else "") for c in text)


def shared_strings():
    """Yields (file, number of line or paragraph, field, text)."""
    xquad = "eval/xquad"
    for name in sorted(n for n in os.listdir(os.path.join(shared, xquad)) if n.endswith(".json")):
        with open(os.path.join(shared, xquad, name), encoding="utf-8") as f:
            articles = json.load(f)["data"]
        contexts = [p["context"] for article in articles for p in article["paragraphs"]]
        for n in range(0, len(contexts), 8):
            yield f"{xquad}/{name}", n, "context", contexts[n]
    for path, step in (("eval/code/corpus.jsonl", 3), ("eval/sitedocs/corpus.jsonl", 3),
                       ("eval/npl/queries.jsonl", 1), ("eval/squad/queries.jsonl", 20)):
        with open(os.path.join(shared, path), encoding="utf-8") as f:
            lines = f.read().split("\n")
        for n in range(0, len(lines), step):
            if lines[n]:
                yield path, n, "text", json.loads(lines[n])["text"]


def code_points():
    for block in range(0, 0x110000, 4096):
        h = hashlib.sha256()
        for c in range(block, block + 4096):
            if 0xD800 <= c < 0xE000:
                continue
            pre = tok.pre_tokenizer.pre_tokenize_str(tok.normalizer.normalize_str("a" + chr(c) + "b"))
            h.update((" ".join(w for w, _ in pre) + "\n").encode())
        yield block, h.hexdigest()[:16]


def pair(a, b, limit):
    """The passage is cut; of the query only what is beyond half of the room and does not fit either."""
    query, passage = (tok.encode(t, add_special_tokens=False).ids for t in (a, b))
    room = limit - tok.num_special_tokens_to_add(True)
    kept = len(query) if len(query) + len(passage) <= room else min(len(query), max(room // 2, room - len(passage)))
    cls, sep = tok.token_to_id("[CLS]"), tok.token_to_id("[SEP]")
    first, second = [cls] + query[:kept] + [sep], passage[:room - kept] + [sep]
    if kept == len(query) and kept < room:
        tok.enable_truncation(limit, strategy="only_second")
        e = tok.encode(a, b)
        tok.no_truncation()
        assert e.ids == first + second and e.type_ids == [0] * len(first) + [1] * len(second), (a, b, limit)
    return first + second, [0] * len(first) + [1] * len(second)


def rows():
    rng = random.Random(20261121)
    for text in EDGE + list(generated(rng, 1800)):
        ids, spans = encode(text)
        yield {"text": text, "ids": ids, "spans": spans}
    for path, line, field, text in shared_strings():
        ids, spans = encode(text)
        yield {"file": path, "line": line, "field": field, "ids": digest(ids), "count": len(ids), "spans": spans}
    for block, value in code_points():
        yield {"block": block, "normal": value}
    for _ in range(120):
        a, b = (" ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 20))) for _ in range(2))
        limit = rng.randint(4, 50)
        tok.enable_truncation(limit)
        single = tok.encode(a)
        tok.no_truncation()
        ids, types = pair(a, b, limit)
        yield {"a": a, "b": b, "max": limit, "pair": ids, "types": types, "single": single.ids}


out = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden.jsonl.gz")
with open(out, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as f:
    n = 0
    for row in rows():
        f.write((json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8", "surrogatepass"))
        n += 1
print(n, "rows,", os.path.getsize(out), "bytes")
