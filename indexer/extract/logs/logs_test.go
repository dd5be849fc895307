package logs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// repeated makes a file of 64 KiB of some lines.
func repeated(lines string) []byte { return bytes.Repeat([]byte(lines), Least/len(lines)+1)[:Least] }

// TestLogsAreRecognised by lines that programs write.
func TestLogsAreRecognised(t *testing.T) {
	for name, lines := range map[string]string{
		"server.txt":     "2026-11-27 16:04:05,123 INFO  [main] started\n2026-11-27 16:04:06,001 ERROR [main] it failed\njava.lang.IllegalStateException: no\n\tat com.example.Main.run(Main.java:7)\n\tat com.example.Main.main(Main.java:3)\n2026-11-27 16:04:07,001 WARN  [main] retried\n2026-11-27 16:04:08,001 WARN  [main] retried\n",
		"syslog":         "Nov  7 16:04:05 host kernel: usb 1-1: new device\nNov 27 16:04:06 host sshd[12]: Accepted publickey\n",
		"journal.txt":    "Nov 27 16:04:05.123456 host systemd[1]: Started a unit.\n",
		"iso.txt":        "2026-11-27T16:04:05+0100 host systemd[1]: Started a unit.\n",
		"access":         "10.0.0.7 - ann [27/Nov/2026:16:04:05 +0000] \"GET / HTTP/1.1\" 200 12 \"-\" \"Mozilla/5.0\"\n",
		"nginx.txt":      "2026/11/27 16:04:05 [error] 12#12: *7 open() failed\n",
		"apache.txt":     "[Fri Nov 27 16:04:05.123456 2026] [core:error] [pid 7] it failed\n",
		"klog.txt":       "I1127 16:04:05.123456       1 server.go:12] ready\n",
		"ci.txt":         "2026-11-27T16:04:05.1234567Z \x1b[36;1mmake test\x1b[0m\n2026-11-27T16:04:06.1234567Z ##[group]Run\n",
		"kernel.txt":     "[    0.000000] Linux version 6.1\n[   12.345678] usb 1-1: new device\n",
		"pino.jsonl":     `{"level":30,"time":1764259445123,"pid":7,"msg":"ready"}` + "\n",
		"json.ndjson":    `{"ts":"2026-11-27T16:04:05Z","severity":"ERROR","message":"it failed"}` + "\n",
		"docker.json":    `{"log":"ready\n","stream":"stdout","time":"2026-11-27T16:04:05.1Z"}` + "\n",
		"journald.json":  `{"PRIORITY":"6","__REALTIME_TIMESTAMP":"1764259445123456","MESSAGE":"ready"}` + "\n",
		"logfmt.txt":     "time=2026-11-27T16:04:05Z level=info msg=ready\n",
		"python.log":     "INFO:root:ready\nERROR:root:it failed\n",
		"maven.log.1":    "[INFO] Building\n[WARNING] deprecated\n[INFO] done\n",
		"npm-debug.log":  "npm ERR! code ENOENT\nnpm WARN deprecated\n",
		"short.out":      "16:04:05 ready\n16:04:06 done\n",
		"color.log":      "\x1b[32mINFO\x1b[0m ready\n\x1b[31mERROR\x1b[0m it failed\n",
		"app.log-2026-1": "ready\n16:04:06 done\nfine\n16:04:06 done\n",
	} {
		if !Is(name, repeated(lines)) {
			t.Errorf("%s is none", name)
		}
	}
}

// TestOtherTextIsNone: what people write, and what other formats read.
func TestOtherTextIsNone(t *testing.T) {
	for name, lines := range map[string]string{
		"diary.txt":      "2026-11-27 fed the cat\n2026-11-28 09:00 went to the market\nIt rained.\n",
		"jrnl.txt":       "[2026-11-27 09:00] Fed the cat. It rained.\n\n[2026-11-28 09:00] Went to the market.\n",
		"prose.txt":      "At 16:04:05 on the 27th the bells rang, and nobody knew why.\nThe town slept on until the morning came with rain.\n",
		"film.txt":       "00:00:01 Hello.\n00:00:05 Who is there?\n",
		"film.srt":       "1\n00:00:01,000 --> 00:00:04,000\nHello.\n\n",
		"table.csv":      "name,amount,day\nAnn,12.50,2026-11-27\n",
		"claude.jsonl":   `{"type":"user","message":{"role":"user","content":"hello"},"timestamp":"2026-11-27T16:04:05Z"}` + "\n",
		"rows.jsonl":     `{"name":"Ann","city":"Bonn"}` + "\n",
		"tex.log":        "This is pdfTeX, Version 3.14\nLaTeX Font Info: Checking defaults\nPackage: hyperref\n(./paper.aux)\n",
		"todo.txt":       "(A) 2026-11-27 call the plumber\nx 2026-11-27 2026-11-20 pay the rent\n",
		"levels.txt":     "ERROR handling is a chapter of its own.\nINFO boxes stand beside it.\n",
		"irc.txt":        "16:04 <ann> hello\n16:05 <ben> hi\n",
		"addresses.conf": "server 10.0.0.7:8080\nlisten 12:34\n",
	} {
		if Is(name, repeated(lines)) {
			t.Errorf("%s is a log", name)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"/var/log/app.log": true, "app.log.1": true, "App.LOG.12": true, "app-2026-11-27.log": true, "app.log-20261127": true, "error_log": true, "syslog.2": true,
		"nohup.out": true, "messages": true, "kern.log.old": true, "server.log.2026-11-27_03": true, "ci.log.txt": true,
		"catalog": false, "blog.md": false, "login": false, "changelog": false, "logs.txt": false, "catalog.pdf": false, "2026.txt": false, "": false,
	} {
		if Named(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestCutsStayWhenLinesAreAppended: a log that was read in steps of any sizes has the cuts of one that is read at once.
func TestCutsStayWhenLinesAreAppended(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 4))
	for round := range 60 {
		var file []byte
		for len(file) < 90_000 {
			n := rng.IntN(200)
			if rng.IntN(60) == 0 {
				n = rng.IntN(30_000) // longer than blocks
			}
			file = append(append(file, strings.Repeat("aä☃ ", n/4)...), '\n')
		}
		whole := Cuts(file, 0)
		var cuts []int
		for end := 0; end < len(file); {
			end = min(len(file), end+1+rng.IntN(1+rng.IntN(20_000)))
			from := last(cuts)
			for _, cut := range Cuts(file[from:end], int64(from)) {
				cuts = append(cuts, from+cut)
			}
		}
		if !slices.Equal(cuts, whole) {
			t.Fatalf("round %d: %v, want %v", round, cuts, whole)
		}
		before := 0
		for _, cut := range append(whole, len(file)) {
			if cut <= before || cut-before > 2*blockBytes || !utf8.Valid(file[before:cut]) {
				t.Fatalf("round %d: a block from %d to %d", round, before, cut)
			}
			before = cut
		}
	}
}

// TestWindow: what is read is never more than Most, begins seldom elsewhere, and never further to the front.
func TestWindow(t *testing.T) {
	before, moves := int64(0), 0
	for size := int64(0); size < 10*Most; size += 99_991 {
		from := Window(size)
		if from%Step != 0 || from%blockBytes != 0 || from < before || size-from > Most || from > 0 && size-from <= Most-Step {
			t.Fatalf("of %d bytes those from %d are read", size, from)
		}
		if from != before {
			moves++
		}
		before = from
	}
	if want := 9 * Most / Step; moves < want-1 || moves > want+1 {
		t.Errorf("it moves %d times", moves)
	}
}

// TestCleanKeepsPlaces: text comes out of any bytes, as long as them, and what is text stays.
func TestCleanKeepsPlaces(t *testing.T) {
	for given, want := range map[string]string{
		"plain ä\ttext\r\n": "plain ä\ttext\r\n", "\x1b[31mERROR\x1b[0m no": "     ERROR     no", "a\x00b\x7f": "a b ", "\xff\xfeü\xc3": "??ü?",
		"\x1b": " ", "\x1b[": "  ", "\x1b[0Kdone": "    done", "\x1b[3\nx": "   \nx",
	} {
		got := []byte(given)
		if Clean(got); string(got) != want {
			t.Errorf("%q became %q", given, got)
		}
	}
	const odd = "\x1b[0;m\nab\xc3\xa4\xff\x00\xe2\x98\x83"
	rng := rand.New(rand.NewPCG(4, 39))
	for range 2000 {
		block := make([]byte, rng.IntN(200))
		for i := range block {
			block[i] = odd[rng.IntN(len(odd))]
		}
		given := slices.Clone(block)
		if Clean(block); !utf8.Valid(block) || len(block) != len(given) || bytes.Count(block, []byte{'\n'}) != bytes.Count(given, []byte{'\n'}) {
			t.Fatalf("%q became %q", given, block)
		}
	}
}

// TestHostileLines: any bytes are told to be a log or none.
func TestHostileLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		line := make([]byte, rng.IntN(160))
		for j := range line {
			line[j] = "0123456789::::[]{}\"\x1b \t.-TZINFO\xff"[rng.IntN(30)]
		}
		Is(fmt.Sprintf("%d.log", i), append(line, '\n'))
		FirstLine(line)
		Cuts(line, 0)
	}
}
