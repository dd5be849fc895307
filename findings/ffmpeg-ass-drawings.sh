#!/usr/bin/env bash
# ffmpeg makes words of the drawings in subtitles.
#
# Guess: where subtitles of Advanced SubStation Alpha become SubRip or WebVTT, which have no drawings, a drawing (\p1) is left out.
# Seen, ffmpeg 9.0.2 (imageio-ffmpeg 0.8.1): its commands are the text of a subtitle, "m 0 0 l 100 0 100 100", and a hard space stays "\h".
# pysubs2 1.8.1 leaves such a line out.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet imageio-ffmpeg==0.8.1 pysubs2==1.8.1
venv/bin/python - <<'PYTHON'
import subprocess
import imageio_ffmpeg, pysubs2

subs = pysubs2.SSAFile()
subs.append(pysubs2.SSAEvent(start=1000, end=2000, text=r"The heron is\hback."))
subs.append(pysubs2.SSAEvent(start=2000, end=3000, text=r"{\p1}m 0 0 l 100 0 100 100{\p0}"))
subs.save("a.ass")
for form in ("srt", "webvtt"):
    text = subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", "a.ass", "-f", form, "-"], check=True, capture_output=True, text=True).stdout
    print(form, repr(text))
    assert "m 0 0 l 100 0 100 100" in text, "what was seen has changed"
    assert r"is\hback" in text, "what was seen has changed"
assert "m 0 0" not in subs.to_string("srt") and "The heron is back" in subs.to_string("srt"), "what was seen has changed"
PYTHON
