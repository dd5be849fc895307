"""Writes models.jsonl.gz and models-golden.jsonl.gz: small tokenizers of every
supported family, and what the reference implementation makes of strings.

    python3 models.py SHARED_DATA

Needs the packages `tokenizers` and `sentencepiece`. Each line of the first file
is {"name", "tokenizer"}: a tokenizer.json, trained here on the shared data. The
second starts with {"texts"}: strings on top of the own ones of golden.jsonl.gz.
Each further line holds, for one tokenizer (those named shared/... are made of
the files there):
  ids    base64 of 16 bits of the CRC-32 of the comma-joined ids of each string
  text   the CRC-32 of the decoded texts, each with a zero byte after it
  files  for each shared file of golden.jsonl.gz, the CRC-32 over its strings' ids
  pairs  [a, b, ids, types] with special tokens
"""

import base64
import gzip
import io
import json
import os
import random
import struct
import sys
import zlib

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, models, trainers
from tokenizers import decoders as D
from tokenizers import normalizers as N
from tokenizers import pre_tokenizers as P
from tokenizers import processors as R

shared = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
BYTES = [f"<0x{b:02X}>" for b in range(256)]


def special(*names, **flags):
    return [AddedToken(n, special=True, normalized=False, **flags) for n in names]


def training_texts():
    out = []
    for name in sorted(os.listdir(f"{shared}/eval/xquad")):
        if name.endswith(".json"):
            articles = json.load(open(f"{shared}/eval/xquad/{name}", encoding="utf-8"))["data"]
            out += [p["context"] for a in articles[:6] for p in a["paragraphs"][:3]]
    for i, line in enumerate(open(f"{shared}/eval/code/corpus.jsonl", encoding="utf-8")):
        if i % 10 == 0:
            out.append(json.loads(line)["text"])
    return out


TRAINING = training_texts()


def byte_level(pre, specials, normalizer=None, post=None, **model):
    tok = Tokenizer(models.BPE(**model))
    tok.pre_tokenizer, tok.decoder = pre, D.ByteLevel()
    if normalizer:
        tok.normalizer = normalizer
    tok.train_from_iterator(TRAINING, trainers.BpeTrainer(
        vocab_size=700, show_progress=False, initial_alphabet=P.ByteLevel.alphabet(), special_tokens=[]))
    tok.add_special_tokens(special(*specials))
    tok.post_processor = post or R.ByteLevel(trim_offsets=False)
    return tok


def smollm():
    pre = P.Sequence([P.Digits(individual_digits=True), P.ByteLevel(add_prefix_space=False, use_regex=True)])
    return byte_level(pre, ["<|endoftext|>", "<|im_start|>", "<|im_end|>"])


def by_expression(expression):
    return P.Sequence([P.Split(Regex(expression), "isolated"), P.ByteLevel(add_prefix_space=False, use_regex=False)])


def qwen2():
    tok = byte_level(by_expression(QWEN2), ["<|endoftext|>", "<|im_start|>", "<|im_end|>"], N.NFC())
    tok.add_tokens([AddedToken(n, special=False, normalized=False) for n in ("<think>", "</think>")])
    return tok


def llama3():
    j = json.loads(byte_level(by_expression(LLAMA3), [], ignore_merges=True).to_str())
    vocab = j["model"]["vocab"]
    for word in ("Ġsearching", "Ġvector", "Ġindex", "fmt", "ĠÐ¿Ð¾Ð¸ÑģÐº"):  # words that no merge reaches
        vocab.setdefault(word, len(vocab))
    tok = Tokenizer.from_str(json.dumps(j))
    tok.add_special_tokens(special("<|begin_of_text|>", "<|eot_id|>"))
    bos = tok.token_to_id("<|begin_of_text|>")
    tok.post_processor = R.Sequence([R.ByteLevel(trim_offsets=False), R.TemplateProcessing(
        single="<|begin_of_text|> $A", pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1",
        special_tokens=[("<|begin_of_text|>", bos)])])
    return tok


def roberta():
    tok = byte_level(P.ByteLevel(add_prefix_space=True), ["<s>", "<pad>", "</s>", "<unk>"])
    tok.add_special_tokens(special("<mask>", lstrip=True))
    tok.post_processor = R.RobertaProcessing(("</s>", tok.token_to_id("</s>")), ("<s>", tok.token_to_id("<s>")))
    return tok


def modernbert():
    """As OLMo's and GPT-NeoX's: runs of spaces and some markers are added tokens that are looked for in
    normalised text, and [MASK] takes the space before it along."""
    tok = byte_level(P.ByteLevel(add_prefix_space=False, use_regex=True), [], N.NFC())
    tok.add_special_tokens(special("<|endoftext|>"))
    spaces = [" " * n for n in range(24, 1, -1)]
    tok.add_tokens([AddedToken(n, special=False, normalized=True) for n in ["|||IP_ADDRESS|||", *spaces, "|||EMAIL_ADDRESS|||"]])
    tok.add_special_tokens(special("[UNK]", "[CLS]", "[SEP]", "[PAD]") + special("[MASK]", lstrip=True))
    tok.post_processor = R.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[(n, tok.token_to_id(n)) for n in ("[CLS]", "[SEP]")])
    return tok


def qwen3_embedding():
    """Qwen's, with a token behind each text."""
    tok = qwen2()
    end = tok.token_to_id("<|endoftext|>")
    tok.post_processor = R.Sequence([R.ByteLevel(trim_offsets=False), R.TemplateProcessing(
        single="$A:0 <|endoftext|>:0", pair="$A:0 <|endoftext|>:0 $B:1 <|endoftext|>:1", special_tokens=[("<|endoftext|>", end)])])
    return tok


def llama2(legacy):
    """The old spelling with byte fallback, or the new one with unknown tokens."""
    tok = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=legacy))
    tok.pre_tokenizer = P.Metaspace(prepend_scheme="always")
    tok.train_from_iterator([t.replace("\n", " ") for t in TRAINING[:60]], trainers.BpeTrainer(
        vocab_size=900 if legacy else 700, show_progress=False, limit_alphabet=150,
        special_tokens=["<unk>", "<s>", "</s>"] + (BYTES if legacy else [])))
    j = json.loads(tok.to_str())
    j["added_tokens"] = [a for a in j["added_tokens"] if not a["content"].startswith("<0x")]
    for a in j["added_tokens"]:
        a["normalized"] = legacy and a["content"] != "<unk>"
        a["special"] = not a["normalized"]
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    j["normalizer"] = j["pre_tokenizer"] = None
    if legacy:
        j["normalizer"] = {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, replace]}
    else:
        j["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    tok = Tokenizer.from_str(json.dumps(j))
    tok.decoder = D.Sequence([D.Replace("▁", " "), D.ByteFallback(), D.Fuse(), D.Strip(" ", 1, 0)])
    tok.post_processor = R.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", tok.token_to_id("<s>"))])
    return tok


def gemma():
    """Marks instead of spaces, byte fallback, runs of marks and of line breaks as added tokens, and a Split by the
    spaces that are not there any more."""
    tok = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tok.pre_tokenizer = P.Metaspace(prepend_scheme="never")
    tok.train_from_iterator(TRAINING[:60], trainers.BpeTrainer(
        vocab_size=900, show_progress=False, limit_alphabet=150, special_tokens=["<pad>", "<eos>", "<bos>", "<unk>"] + BYTES))
    j = json.loads(tok.to_str())
    j["added_tokens"] = [a for a in j["added_tokens"] if not a["content"].startswith("<0x")]
    j["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    j["pre_tokenizer"] = {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}
    tok = Tokenizer.from_str(json.dumps(j))
    tok.add_tokens([AddedToken(n, special=False, normalized=False) for n in ["\n\n", "\n\n\n", "\t\t", "▁▁", "▁▁▁", "▁▁▁▁", "<start_of_turn>"]])
    tok.decoder = D.Sequence([D.Replace("▁", " "), D.ByteFallback(), D.Fuse()])
    tok.post_processor = R.TemplateProcessing(
        single="<bos>:0 $A:0 <eos>:0", pair="<bos>:0 $A:0 <eos>:0 <bos>:1 $B:1 <eos>:1", special_tokens=[("<bos>", 2), ("<eos>", 1)])
    return tok


def fields(message):
    """Yields (number, value) of a protocol buffer message."""
    def varint(i):
        value = shift = 0
        while True:
            byte, i = message[i], i + 1
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value, i
    i = 0
    while i < len(message):
        tag, i = varint(i)
        if tag & 7 == 0:
            value, i = varint(i)
        else:
            size, i = varint(i) if tag & 7 == 2 else (4, i)
            value, i = message[i:i + size], i + size
        yield tag >> 3, value


def train_unigram(**rules):
    """Returns the pieces with their scores, and the compiled character map."""
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([line for t in TRAINING for line in t.split("\n") if line.strip()]), model_writer=out,
        model_type="unigram", vocab_size=1000, character_coverage=0.98, num_threads=1, hard_vocab_limit=False,
        minloglevel=2, bos_id=0, pad_id=1, eos_id=2, unk_id=3, unk_piece="<unk>", **rules)
    pieces, charsmap = [], b""
    for number, value in fields(out.getvalue()):
        if number == 1:
            piece = dict(fields(value))
            pieces.append((piece[1].decode(), struct.unpack("<f", piece.get(2, bytes(4)))[0]))
        elif number == 3:
            charsmap = dict(fields(value)).get(2, b"")
    return pieces, charsmap


def rules_of(charsmap):
    """Lists (from, to) of a compiled map."""
    size = struct.unpack("<I", charsmap[:4])[0]
    units, strings = struct.unpack(f"<{size // 4}I", charsmap[4:4 + size]), charsmap[4 + size:]

    def offset(unit):
        return (unit >> 10) << ((unit & 512) >> 6)

    def walk(at, key):
        for c in range(1, 256):
            if at ^ c >= len(units) or units[at ^ c] & (1 << 31 | 255) != c:
                continue
            unit = units[at ^ c]
            child = at ^ c ^ offset(unit)
            if unit >> 8 & 1:
                start = units[child] & (1 << 31) - 1
                yield (key + bytes([c])).decode(), strings[start:strings.index(b"\0", start)].decode()
            yield from walk(child, key + bytes([c]))

    return walk(offset(units[0]), b"")


def kept(key):
    """Chooses rules of nmt_nfkc: the whole map would be half of all test data."""
    c = ord(key[0])
    if len(key) > 1:
        return c < 0x180 and max(map(ord, key)) < 0x330 or 0x3040 <= c < 0x3100
    return any(low <= c < high for low, high in (
        (0, 0x250), (0x2000, 0x2190), (0x3000, 0x3100), (0x3300, 0x3320), (0xFB00, 0xFB07), (0xFF00, 0xFFA0))
    ) or c in (0xFEFF, 0xFFFD, 0xE33, 0x1E9B)


def unigrams():
    _, full = train_unigram(normalization_rule_name="nmt_nfkc")
    tsv = os.path.join(here, "rules.tsv")
    with open(tsv, "w", encoding="utf-8") as f:
        for key, value in rules_of(full):
            if kept(key):
                f.write("\t".join(" ".join(f"{ord(c):X}" for c in part) for part in (key, value)) + "\n")
    pieces, charsmap = train_unigram(normalization_rule_tsv=tsv)
    os.remove(tsv)
    xlmr = Tokenizer(models.Unigram(pieces, unk_id=3))
    xlmr.normalizer, xlmr.decoder = N.Precompiled(charsmap), D.Metaspace()
    xlmr.pre_tokenizer = P.Sequence([P.WhitespaceSplit(), P.Metaspace(prepend_scheme="always")])
    xlmr.add_special_tokens(special("<s>", "<pad>", "</s>", "<unk>") + special("<mask>", lstrip=True))
    xlmr.post_processor = R.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    yield "xlm-roberta", xlmr
    m3 = Tokenizer.from_str(xlmr.to_str())
    m3.normalizer = N.Sequence([
        N.Precompiled(charsmap), N.Strip(left=False, right=True), N.Replace(Regex(" {2,}"), "▁")])
    m3.pre_tokenizer = P.Metaspace(prepend_scheme="always")
    yield "bge-m3", m3
    tok = Tokenizer(models.Unigram(pieces[:300] + [(b, -20.0) for b in BYTES], unk_id=3, byte_fallback=True))
    tok.pre_tokenizer = P.Metaspace(prepend_scheme="first")
    tok.decoder = D.Sequence([D.ByteFallback(), D.Metaspace(prepend_scheme="first")])
    tok.add_special_tokens(special("<s>", "<pad>", "</s>", "<unk>"))
    yield "unigram-bytes", tok


def shared_models():
    """The published vocabularies of the shared data."""
    folder = f"{shared}/models"
    gpt2 = Tokenizer(models.BPE.from_file(f"{folder}/gpt2-bpe/vocab.json", f"{folder}/gpt2-bpe/merges.txt"))
    gpt2.pre_tokenizer, gpt2.decoder = P.ByteLevel(add_prefix_space=False), D.ByteLevel()
    gpt2.add_special_tokens(special("<|endoftext|>"))
    yield "shared/gpt2-bpe", gpt2
    vocab = json.load(open(f"{folder}/llama3-bpe/encoder.json", encoding="utf-8"))
    merges = [tuple(line.split()) for line in open(f"{folder}/llama3-bpe/vocab.bpe", encoding="utf-8")
              if line.strip() and not line.startswith("#version")]
    tok = Tokenizer(models.BPE(vocab, merges, ignore_merges=True))
    tok.pre_tokenizer, tok.decoder = by_expression(LLAMA3), D.ByteLevel()
    tok.add_special_tokens(special("<|begin_of_text|>", "<|eot_id|>"))
    yield "shared/llama3-bpe", tok


MIX = ["<|endoftext|>", "<|im_start|>", "<s>", "</s>", "<mask>", "<unk>", "<|eot_id|>", "<think>", "▁", "▁▁", "'s", "'S",
       "'ſ", "'ll", "'LL", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\u0085", "123",
       "1234567", "٣٤٥", "½", "Ⅷ", "a", "Hello", " world", "é", "e\u0301", "ﬁ", "①", "カ\u3099", "中", "한", "\u1112\u1161\u11ab",
       "🇩🇪", "👩‍👩‍👧", "\u200d", "\u200b", "\ufeff", "\x00", "\x07", "ａ", "…", "--", "!!", "'", "don't", "\u0300", "\u0323",
       "\u0345", "x", "0", "\u0898", "\u0301" * 40]


def golden_strings():
    """Returns the own strings of golden.jsonl.gz and its shared ones by file."""
    own, files, cache = [], {}, {}
    for line in gzip.open(os.path.join(here, "golden.jsonl.gz"), "rt", encoding="utf-8"):
        row = json.loads(line)
        if row.get("text") is not None:
            own.append(row["text"])
        elif "file" in row:
            name = row["file"]
            if name not in cache:
                data = open(f"{shared}/{name}", encoding="utf-8").read()
                cache[name] = ([p["context"] for a in json.loads(data)["data"] for p in a["paragraphs"]]
                               if row["field"] == "context" else
                               [json.loads(r)[row["field"]] if r else "" for r in data.split("\n")])
            files.setdefault(name, []).append(cache[name][row["line"]])
    return own, files


def crc(numbers):
    return zlib.crc32(",".join(map(str, numbers)).encode())


def packed(values):
    return base64.b64encode(struct.pack(f"<{len(values)}H", *(v & 0xffff for v in values))).decode()


def golden(name, texts, files, encode, decode, pairs):
    ids = [encode(t) for t in texts]
    return {"name": name, "ids": packed([crc(i) for i in ids]),
            "text": zlib.crc32("".join(decode(i) + "\0" for i in ids).encode()),
            "files": {f: crc(x for t in group for x in encode(t)) for f, group in files.items()}, "pairs": pairs}


def of_tokenizer(name, tok, texts, files):
    samples = [("what is BM25?", "BM25 ranks texts."), ("", "b"), ("как искать", "поиск  по файлам\n")]
    pairs = [[a, b, e.ids, e.type_ids] for a, b in samples for e in [tok.encode(a, b)]]
    return golden(name, texts, files, lambda t: tok.encode(t, add_special_tokens=False).ids, tok.decode, pairs)


def write(name, rows):
    path = os.path.join(here, name)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as f:
        for row in rows:
            f.write((json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode())
    print(name, os.path.getsize(path), "bytes")


rng = random.Random(20261121)
extra = ["".join(rng.choice(MIX) for _ in range(rng.randint(1, 10))) for _ in range(500)]
own, files = golden_strings()
small = {"smollm": smollm(), "qwen2": qwen2(), "llama3": llama3(), "roberta": roberta(), "modernbert": modernbert(),
         "qwen3-embedding": qwen3_embedding(), "llama2": llama2(True),
         "llama2-first": llama2(False), "gemma": gemma(), **dict(unigrams())}
write("models.jsonl.gz", ({"name": n, "tokenizer": json.loads(t.to_str())} for n, t in small.items()))
rows = [of_tokenizer(n, t, own + extra, files) for n, t in [*small.items(), *shared_models()]]
spm = sentencepiece.SentencePieceProcessor(model_file=f"{shared}/models/llama2-spm/tokenizer.model")
rows.append(golden("shared/llama2-spm", own + extra, files, spm.encode, spm.decode, []))
write("models-golden.jsonl.gz", [{"texts": extra}] + rows)
