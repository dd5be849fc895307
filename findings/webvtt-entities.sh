#!/usr/bin/env bash
# webvtt-py gives the text of a caption with its entities.
#
# Guess: caption.text is what a player shows, since WebVTT has & and < written as &amp; and &lt;, and since tags are taken out.
# Seen, webvtt-py 0.6.0 (PyPI): the tag <v Ann> is gone and named in caption.voice, and the text is "Fish &amp; chips &lt;hot&gt;".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet webvtt-py==0.6.0
venv/bin/python - <<'PYTHON'
import webvtt

with open("talk.vtt", "w") as f:
    f.write("WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>Fish &amp; chips &lt;hot&gt;</v>\n")
(caption,) = webvtt.read("talk.vtt")
seen = (caption.voice, caption.text)
print(*seen)
assert seen == ("Ann", "Fish &amp; chips &lt;hot&gt;"), "what was seen has changed"
PYTHON
