package extract

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/logs"
)

// logOf returns lines of a log that are numbered from 1.
func logOf(size int) []byte {
	var b bytes.Buffer
	at := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, "%s INFO request number%d was answered in good time, as others were\n", at.Add(time.Duration(n)*time.Second).Format(time.DateTime), n)
	}
	return b.Bytes()
}

// write puts a file into a folder of its own.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLogDocument: places in the text of a log are those in the file, whatever is in it, and hours are its entries.
func TestLogDocument(t *testing.T) {
	data := append(logOf(200_000), "\x1b[31mERROR\x1b[0m caf\xe9 \x00 zebra\nlast"...)
	d, err := File(write(t, "app.log", data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Kind != document.Log || len(d.Text) != len(data) || d.Lacking != "" || d.Charset != "UTF-8" {
		t.Errorf("a %v of %d bytes, %q, %s", d.Kind, len(d.Text), d.Lacking, d.Charset)
	}
	if !strings.HasSuffix(d.Text, "     ERROR     caf?   zebra\nlast") {
		t.Errorf("it ends in %q", d.Text[len(d.Text)-40:])
	}
	lines := bytes.Count(data, []byte{'\n'})
	if got := d.Line(len(d.Text)); got != lines+1 {
		t.Errorf("it ends on line %d, want %d", got, lines+1)
	}
	if len(d.Entries) != 1 {
		t.Errorf("%d entries of 50 minutes", len(d.Entries))
	}
	for _, cut := range d.Cuts {
		if d.Text[cut-1] != '\n' {
			t.Errorf("a cut within the line %q", d.Text[cut-20:cut+20])
		}
	}
}

// TestALongLog: of one that is longer than is read the newest lines are, by their numbers.
func TestALongLog(t *testing.T) {
	data := logOf(logs.Most + 5*logs.Step/2)
	lines := bytes.Count(data, []byte{'\n'})
	path := write(t, "app.log", data)
	check := func(d *document.Document, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Text) > logs.Most || len(d.Text) < logs.Most-2*logs.Step || d.Lacking != "the oldest 6.0 MiB" {
			t.Errorf("%d bytes are read, without %q", len(d.Text), d.Lacking)
		}
		for _, at := range []int{0, len(d.Text) / 2, len(d.Text) - 2} {
			begin := strings.LastIndexByte(d.Text[:at], '\n') + 1
			if line := fmt.Sprintf("number%d ", d.Line(at)); !strings.Contains(d.Text[begin:min(begin+100, len(d.Text))], line) {
				t.Errorf("line %d is %q", d.Line(at), d.Text[begin:min(begin+60, len(d.Text))])
			}
		}
		if d.Line(len(d.Text)-1) != lines {
			t.Errorf("the last line is %d, want %d", d.Line(len(d.Text)-1), lines)
		}
	}
	check(File(path, Options{}))
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // nothing is written through it
	short, err := Open(write(t, "app.log", data[:len(data)-5000]), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer short.Close() //nolint:errcheck // nothing is written through it
	if sum, ok := s.PrefixSum(short.Info.Size()); !ok || sum != sumOf(t, short) {
		t.Errorf("the hash of a prefix is %x, %v, want %x", sum, ok, sumOf(t, short))
	}
	if _, ok := s.PrefixSum(100); ok {
		t.Error("the hash of what was passed over is known")
	}
	if testing.Short() {
		return
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // fails for a level that there is not
	if _, err := w.Write(data); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	check(File(write(t, "app.log.2.gz", packed.Bytes()), Options{}))
}

// TestOpenGrown reads what was appended, and nothing where anything else may have changed.
func TestOpenGrown(t *testing.T) {
	data := logOf(300_000)
	before, more := data[:250_000], data[250_000:]
	path := write(t, "app.log", before)
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Document(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	size, from, state := int64(len(before)), int64(d.Cuts[len(d.Cuts)-1]), s.Log().Append(nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	grown := func(now []byte) *Grown {
		t.Helper()
		known, err := ReadLogState(state)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, now, 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := OpenGrown(path, Options{}, size, from, known)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	changed := func(at int) []byte {
		now := bytes.Clone(data)
		now[at] ^= 1
		return now
	}
	for what, now := range map[string][]byte{
		"as it was": before, "shorter": before[:100_000], "empty": nil, "its first byte": changed(0), "its last one": changed(len(before) - 1),
		"a step": append(bytes.Clone(data), bytes.Repeat([]byte("more\n"), logs.Step/5)...),
	} {
		if grown(now) != nil {
			t.Errorf("%s: it is read on", what)
		}
	}
	g := grown(data)
	if g == nil {
		t.Fatal("it is not read on")
	}
	if got := g.Text().Text; got != string(data[from:]) || g.Read() > int64(len(more))+4*LogProof {
		t.Errorf("%d bytes of text of %d that were read", len(got), g.Read())
	}
	whole, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close() //nolint:errcheck // nothing is written through it
	if sumOf(t, g.Source) != sumOf(t, whole) || !bytes.Equal(g.Log().Append(nil), whole.Log().Append(nil)) {
		t.Error("what is known of it is not what is known of one that is read as a whole")
	}
	for n := range state {
		if _, err := ReadLogState(state[:n]); err == nil {
			t.Errorf("%d bytes of a state are one", n)
		}
	}
}

// sumOf is the hash of a file, which cannot fail of one that was read.
func sumOf(t *testing.T, s *Source) uint64 {
	t.Helper()
	sum, err := s.Sum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// Tokens that a program wrote into its log are masked, line by line.
func TestTokensOfALogAreMasked(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5gH7j", 4)[:36]
	line := "2026-03-01 12:00:00 INFO request 17 authorised by " + token + " for herons\n"
	d := logText([]byte(strings.Repeat(line, 100)), 0, 0)
	if strings.Contains(d.Text, token) || len(d.Text) != 100*len(line) || strings.Count(d.Text, strings.Repeat("*", 36)) != 100 || strings.Count(d.Text, "for herons\n") != 100 {
		t.Errorf("%q", d.Text[:2*len(line)])
	}
}
