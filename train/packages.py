"""Judged sets in many languages from the descriptions of Debian packages, which volunteers
translate: the synopsis of a package is a query for its long description.

usage: MIRROR=URL python3 packages.py FOLDER [LANGUAGE...]

Fetches dists/bookworm/main/i18n/Translation-LANGUAGE from a Debian mirror, the URL that
stands in /etc/apt/sources.list, into FOLDER, and writes a set in BEIR layout for each language:
FOLDER/LANGUAGE with both sides in it, and FOLDER/LANGUAGE-en with English queries for the
same descriptions. The descriptions are under the licences of their packages' copyright files."""
import bz2
import json
import lzma
import os
import random
import sys
import urllib.request

MIRROR = os.environ.get("MIRROR", "")
LANGUAGES = "de fr es it nl pt_BR pl ru da fi hu cs uk ja ko zh_CN".split()
LONGEST = 2000  # descriptions of a set
QUERIES = 500


def fetch(folder, language):
    """The translation file of a language, as text."""
    suffix, unpack = (".xz", lzma) if language == "en" else (".bz2", bz2)
    path = os.path.join(folder, "Translation-" + language + suffix)
    if not os.path.exists(path):
        if not MIRROR:
            raise SystemExit("name a Debian mirror by MIRROR=URL; /etc/apt/sources.list names yours")
        url = MIRROR + "/dists/bookworm/main/i18n/" + os.path.basename(path)
        urllib.request.urlretrieve(url, path + ".part")
        os.rename(path + ".part", path)
    return unpack.open(path, "rt", encoding="utf-8")


def descriptions(lines):
    """Synopsis and description by the sum of the English original, which languages share."""
    found, key, current = {}, None, None
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("Description-md5:"):
            key = line.split()[1]
        elif line.startswith("Description-"):
            current = found[key] = [line.split(":", 1)[1].strip()]
        elif line.startswith(" ") and current is not None:
            current.append("" if line.strip() == "." else line[1:])
        else:
            current = None
    return {k: (v[0], "\n".join(v[1:]).strip()) for k, v in found.items() if len(v) > 1}


def write(folder, corpus, queries):
    """A set in BEIR layout: both are texts by id, and a query is for the text of its id."""
    os.makedirs(os.path.join(folder, "qrels"), exist_ok=True)
    with open(os.path.join(folder, "corpus.jsonl"), "w", encoding="utf-8") as out:
        for key, text in corpus.items():
            out.write(json.dumps({"_id": key, "title": "", "text": text}, ensure_ascii=False) + "\n")
    with open(os.path.join(folder, "queries.jsonl"), "w", encoding="utf-8") as out:
        for key, text in queries.items():
            out.write(json.dumps({"_id": key, "text": text, "metadata": {}}, ensure_ascii=False) + "\n")
    with open(os.path.join(folder, "qrels", "test.tsv"), "w", encoding="utf-8") as out:
        out.write("query-id\tcorpus-id\tscore\n")
        for key in queries:
            out.write(f"{key}\t{key}\t1\n")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    english = descriptions(fetch(folder, "en"))
    for language in sys.argv[2:] or LANGUAGES:
        of = descriptions(fetch(folder, language))
        keys = sorted(k for k in of if k in english)
        random.Random(1).shuffle(keys)
        keys = keys[:LONGEST]
        corpus = {k: of[k][1] for k in keys}
        asked = keys[:QUERIES]
        write(os.path.join(folder, language), corpus, {k: of[k][0] for k in asked})
        write(os.path.join(folder, language + "-en"), corpus, {k: english[k][0] for k in asked})
        print(language, len(corpus), "descriptions,", len(asked), "queries", flush=True)


if __name__ == "__main__":
    main()
