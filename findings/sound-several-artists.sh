#!/usr/bin/env bash
# Of two artists that a sound file names, readers of tags keep one, join both, or give bytes of the file between them.
#
# Guess: a reader of tags gives all values of a field that has several, or one of them.
# Seen, of files by ffmpeg 9.0.2 (imageio-ffmpeg 0.8.1) that mutagen 1.48.1 tagged with the artists Ann and Bea: github.com/dhowden/tag
# (v0.0.0-20240417053706-3d75831295e8) says "AnnBea" of an MP3 file (ID3v2.4), "Bea" of FLAC and Ogg, and of M4A "Ann", the head of the next
# value with its zero bytes, "Bea". ffmpeg itself says "Ann;Bea" of the other three and "Ann" of MP3.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mutagen==1.48.1 imageio-ffmpeg==0.8.1
cat >go.mod <<'GO'
module artists

go 1.24
GO
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/dhowden/tag"
)

func main() {
	for _, path := range os.Args[1:] {
		f, err := os.Open(path)
		if err != nil {
			panic(err)
		}
		m, err := tag.ReadFrom(f)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%q\n", m.Artist())
	}
}
GO
GOFLAGS=-mod=mod go get github.com/dhowden/tag@v0.0.0-20240417053706-3d75831295e8 2>/dev/null
GOFLAGS=-mod=mod go build -o artists .
venv/bin/python - <<'PYTHON'
import re, subprocess
import imageio_ffmpeg, mutagen
from mutagen.id3 import ID3, TIT2, TPE1

ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
files = ["a.mp3", "a.flac", "a.ogg", "a.m4a"]
for name in files:
    subprocess.run([ffmpeg, "-v", "error", "-y", "-f", "lavfi", "-i", "anullsrc=d=1", name], check=True)
tags = ID3()
tags.add(TIT2(3, ["Pond"]))
tags.add(TPE1(3, ["Ann", "Bea"]))
tags.save("a.mp3")
for name, key in (("a.flac", "artist"), ("a.ogg", "artist"), ("a.m4a", "\xa9ART")):
    f = mutagen.File(name)
    f[key] = ["Ann", "Bea"]
    f.save()
said = subprocess.run(["./artists", *files], check=True, capture_output=True, text=True).stdout.splitlines()
probed = [re.search(r"artist\s*: (.*)", subprocess.run([ffmpeg, "-hide_banner", "-i", name], capture_output=True, text=True).stderr)[1] for name in files]
print("dhowden/tag", said, "ffmpeg", probed)
assert said[:3] == ['"AnnBea"', '"Bea"', '"Bea"'] and said[3].startswith('"Ann\\x00') and "data" in said[3], "what was seen has changed"
assert probed == ["Ann", "Ann;Bea", "Ann;Bea", "Ann;Bea"], "what was seen has changed"
PYTHON
