package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/testenv"
)

// formatFiles are two that are read as csv, one as org, one that is empty and one that is binary.
var formatFiles = map[string]string{
	"a.csv": "name,age\nAnn,41\nBen,38\n", "b.csv": "town,river\nUlm,Danube\n", "c.org": "* Roof\nAsk Ann.\n",
	"d.org": "\n\n", "e.bin": "\x7fELF\x00\x01\x02",
}

// TestExtract measures each format in a process, which here is this test.
func TestExtract(t *testing.T) {
	t.Setenv("BENCH_FAKE_DOWSE", "1")
	t.Setenv("DOWSE_HOME", filepath.Join(t.TempDir(), "home"))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := testenv.Folder(t, formatFiles)
	r, err := Extract(t.Context(), ExtractOptions{Program: program, Folders: []string{folder}, Rounds: 2}, silent)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Formats) != 2 || r.Formats[0].Format != "csv" || r.Formats[1].Format != "org" || r.Files != 5 {
		t.Fatalf("%+v", r)
	}
	if csv := r.Formats[0]; csv.Files != 2 || csv.Bytes != 45 || csv.Text == 0 || csv.Seconds <= 0 || csv.First <= 0 {
		t.Errorf("csv: %+v", csv)
	}
	if r.Left["binary"][""] != 1 || r.Left["empty"]["org"] != 1 {
		t.Errorf("left out: %v", r.Left)
	}
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"csv      2  0.00", "MB of text/s", "Left out:", "empty      1    org 1", "binary      1        -"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "Other programs") {
		t.Errorf("programs that were not asked for:\n%s", out.String())
	}
}

func TestExtractRefuses(t *testing.T) {
	empty := testenv.Folder(t, map[string]string{"e.bin": "\x7fELF\x00"})
	for rounds, want := range map[int]string{0: "--rounds 0: want a number from 1", 1: "no file is of a format that is read"} {
		_, err := Extract(t.Context(), ExtractOptions{Folders: []string{empty}, Rounds: rounds}, silent)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d rounds: %v", rounds, err)
		}
	}
}

// TestExtractBeside compares with a program that is there.
func TestExtractBeside(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("%v (Debian: python3)", err)
	}
	if err := exec.Command(python, "-c", "import email.policy, mailbox").Run(); err != nil {
		t.Skipf("%s: %v", python, err)
	}
	folder := testenv.Folder(t, map[string]string{
		"a.eml": "From: ann@example.org\nTo: ben@example.org\nSubject: The roof\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nAsk the tiler.\n",
	})
	r, err := ExtractOne(t.Context(), "eml", ExtractOptions{Folders: []string{folder}, Rounds: 1, Beside: true}, silent)
	if err != nil {
		t.Fatal(err)
	}
	if b := r.Beside; b == nil || b.Failed != 0 || b.Text < 30 || b.Ratio <= 1 || b.Start <= 0 {
		t.Errorf("%+v", r.Beside)
	}
}

// TestBesideCounts has a program fail, and write into a folder.
func TestBesideCounts(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct {
		reader reader
		text   int64
		failed int
	}{
		{reader{args: []string{"-c", `echo "$0"`}}, int64(len("name\n")), 0},
		{reader{args: []string{"-c", `echo 12345; exit 3`}}, 6, 1},
		{reader{args: []string{"-c", `echo 123 >"$1"; echo more`}, after: []string{"{}/a.csv"}}, 4, 0},
	} {
		b := &besideRun{path: sh, reader: c.reader}
		for _, count := range []bool{true, false} {
			if err := b.read(t.Context(), "name", count); err != nil {
				t.Fatal(err)
			}
		}
		if b.Text != c.text || b.Failed != c.failed {
			t.Errorf("%q: %d bytes, %d failed", c.reader.args, b.Text, b.Failed)
		}
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// fakeExtract is lab bench extract --one.
func fakeExtract(args []string) {
	folder, format := args[len(args)-1], args[3]
	r, err := ExtractOne(context.Background(), format, ExtractOptions{Folders: []string{folder}, Rounds: 2}, silent)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		panic(err)
	}
}
