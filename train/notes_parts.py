"""Makes a folder of each part of the notes with questions, as `lab bench answers` reads it."""

import argparse
import json
from pathlib import Path

import followup_data
from sources import read_json_lines


def main() -> None:
    """Writes OUT/PART/notes and OUT/PART/questions.jsonl."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of PART.notes.jsonl and PART.qa.jsonl")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--talks", type=Path, help="followups.jsonl; its questions are added as one would ask them "
                        "outside, for evidence_train.py --followups")
    args = parser.parse_args()
    for path in sorted(args.data.glob("*.notes.jsonl")):
        part = path.name.removesuffix(".notes.jsonl")
        names = {}
        for note in read_json_lines(path):
            names[note["id"]] = note["path"]
            file = args.out / part / "notes" / note["path"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(note["text"], encoding="utf-8")
        with open(args.out / part / "questions.jsonl", "w", encoding="utf-8") as out:
            for q in read_json_lines(args.data / f"{part}.qa.jsonl"):
                note = names[q.pop("note")]
                q |= {"path": note if q["answerable"] else None, "about": note}
                out.write(json.dumps(q, ensure_ascii=False) + "\n")
            if args.talks:
                for q in followup_data.standalone_rows(args.talks, part, names):
                    out.write(json.dumps(q, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
