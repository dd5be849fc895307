package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract"
)

// years is an export in ChatGPT's form of so many conversations, each with a long answer and a longer one of a tool.
func years(conversations int) []byte {
	var b bytes.Buffer
	b.WriteString("[")
	for i := range conversations {
		if i > 0 {
			b.WriteString(",\n")
		}
		answer := strings.Repeat(fmt.Sprintf("The %dth heron stands in the reeds. ", i), 60)
		fmt.Fprintf(&b, `{"title":"Talk %[1]d","create_time":%[2]d,"current_node":"c","mapping":{"a":{"id":"a","message":{"author":{"role":"user"},"create_time":%[2]d,"content":{"content_type":"text","parts":["Where is heron%[1]d?"]}},"parent":null,"children":["b"]},
"b":{"id":"b","message":{"author":{"role":"tool"},"content":{"content_type":"text","parts":[%[3]q]}},"parent":"a","children":["c"]},"c":{"id":"c","message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":[%[4]q]},"metadata":{"model_slug":"gpt-5"}},"parent":"b","children":[]}}}`,
			i, 1772615472-i, strings.Repeat("toolnoise ", 6000), answer)
	}
	b.WriteString("]")
	return b.Bytes()
}

// TestAnExportOfYearsIsReadWhateverHoldsIt: one that is too large to be held is read a conversation at a time, alone, in a zip and in a
// tar, and what else is too large there is said.
func TestAnExportOfYearsIsReadWhateverHoldsIt(t *testing.T) {
	const talks = 300
	data := years(talks)
	if len(data) < 17<<20 {
		t.Fatalf("it has %d bytes", len(data))
	}
	dir := t.TempDir()
	members := []struct {
		name string
		data []byte
	}{{"user.json", []byte(`{"id":"n01se"}`)}, {"conversations.json", data}, {"big.json", bytes.Repeat([]byte(`{"a":"b"} `), 18<<20/10)}, {"chat.html", []byte("<html><body>shownnoise")}, {"notes.md", []byte("# Notes\n\nThe ferry.\n")}}
	var zipped, tarred bytes.Buffer
	z, a := zip.NewWriter(&zipped), tar.NewWriter(&tarred)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(m.data)
		}
		if err == nil {
			err = a.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o600, Typeflag: tar.TypeReg})
		}
		if err == nil {
			_, err = a.Write(m.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"conversations.json": data, "export.zip": zipped.Bytes(), "export.tar": tarred.Bytes()} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := extract.File(path, extract.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, i := range []int{0, 1, talks / 2, talks - 1} {
			word := fmt.Sprintf("heron%d?", i)
			at := strings.Index(d.Text, word)
			if at < 0 || strings.Count(d.Text, word) != 1 || !strings.HasSuffix(document.Label(d.Place(at)), fmt.Sprintf("conversation Talk %d, message 1 (me)", i)) {
				t.Errorf("%s: %s at %d, %s", name, word, at, document.Label(d.Place(at)))
			}
			if line := d.Line(at); name == "conversations.json" && line != 1+2*i {
				t.Errorf("%s: %s is on line %d", name, word, line)
			}
		}
		if d.Format != "session" || strings.Contains(d.Text, "toolnoise") || strings.Contains(d.Text, "shownnoise") {
			t.Errorf("%s: %s with noise", name, d.Format)
		}
		want := ""
		if name != "conversations.json" {
			if _, err := extract.OpenPart(context.Background(), path, d.Place(len(d.Text)/2), extract.Options{}); !errors.Is(err, document.ErrNoPart) {
				t.Errorf("%s: opened as a file of its own: %v", name, err)
			}
			want = "1 large members"
			if !strings.Contains(d.Text, "The ferry.") {
				t.Errorf("%s: the notes are missing", name)
			}
		}
		if d.Lacking != want {
			t.Errorf("%s: without %q", name, d.Lacking)
		}
	}
}

// TestAConversationThatIsTooLongEndsAnExport: what comes before it is read, and nothing is held of it.
func TestAConversationThatIsTooLongEndsAnExport(t *testing.T) {
	data := years(2)
	data = append(data[:len(data)-1], `,{"title":"`...)
	data = append(data, bytes.Repeat([]byte("long "), 80<<20/5)...)
	path := filepath.Join(t.TempDir(), "conversations.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := extract.File(path, extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(d.Text, "heron1?") || strings.Contains(d.Text, "long") || d.Lacking != "what comes behind 64 MiB of a conversation" {
		t.Errorf("without %q", d.Lacking)
	}
}
