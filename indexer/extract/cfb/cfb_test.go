package cfb_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"dowse/indexer/extract/cfb"
	"dowse/internal/testcfb"
	"dowse/internal/testmutate"
)

func TestStreamsAreReadBack(t *testing.T) {
	long := strings.Repeat("a stream of sectors ", 1000)
	files := testcfb.Files{"Small": "a few bytes", "Empty": "", "Long": long, "Box/Inner": "within", "Box/Deeper/Long": long[1:], "Edge": long[:4096], "Below": long[:4095]}
	f, err := cfb.Open(testcfb.Make(files))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		s, parts := f.Root(), strings.Split(path, "/")
		for _, name := range parts[:len(parts)-1] {
			s = s.Storage(strings.ToUpper(name))
		}
		if got := s.Stream(strings.ToLower(parts[len(parts)-1])); string(got) != want {
			t.Errorf("%s: %d bytes, want %d", path, len(got), len(want))
		}
	}
	if got := fmt.Sprint(f.Root().Storage("Box").Names()); got != "[Deeper Inner]" {
		t.Error(got)
	}
	if f.Root().Stream("Box") != nil || f.Root().Storage("Small") != nil || f.Root().Has("none") {
		t.Error("what is not there is found")
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	for _, data := range []string{"", "PK\x03\x04", cfb.Magic, cfb.Magic + strings.Repeat("\xff", 600), cfb.Magic + strings.Repeat("\x00", 600)} {
		if _, err := cfb.Open([]byte(data)); err == nil {
			t.Errorf("%.20q is opened", data)
		}
	}
}

// A last sector that is cut short, here of the table of sectors, costs what it lacks.
func TestCutFilesAreReadUpToThere(t *testing.T) {
	want := strings.Repeat("words ", 2000)
	data := testcfb.Make(testcfb.Files{"Long": want})
	f, err := cfb.Open(data[:len(data)-100])
	if err != nil || string(f.Root().Stream("Long")) != want {
		t.Errorf("%v", err)
	}
	if f, err = cfb.Open(data[:len(data)-500]); err != nil {
		t.Fatal(err)
	}
	if got := string(f.Root().Stream("Long")); len(got) == 0 || len(got) == len(want) || !strings.HasPrefix(want, got) {
		t.Errorf("%d of %d bytes", len(got), len(want))
	}
}

// Chains that come back to themselves, and entries that hold each other, end.
func TestCirclesEnd(t *testing.T) {
	good := testcfb.Make(testcfb.Files{"A": strings.Repeat("a", 5000), "B/C": "c", "D": "d"})
	for at := 0; at+4 <= len(good); at += 12 {
		data := bytes.Clone(good)
		for _, value := range []uint32{0, 1, 0x7fffffff} {
			binary.LittleEndian.PutUint32(data[at:], value)
			walk(t, data)
		}
	}
}

// walk reads all that a file holds.
func walk(t *testing.T, data []byte) {
	t.Helper()
	f, err := cfb.Open(data)
	if err != nil {
		return
	}
	read, storages := 0, []*cfb.Storage{f.Root()}
	for len(storages) > 0 {
		s := storages[len(storages)-1]
		storages = storages[:len(storages)-1]
		for _, name := range s.Names() {
			read += len(s.Stream(name))
			if within := s.Storage(name); within != nil {
				storages = append(storages, within)
			}
		}
	}
	if read > 2*len(data)+4096 {
		t.Errorf("%d bytes are read of %d", read, len(data))
	}
}

func TestDamagedFilesGiveWhatTheyCan(t *testing.T) {
	seeds := [][]byte{testcfb.Make(testcfb.Files{"A": strings.Repeat("a", 5000), "B/C": "c", "B/D/E": strings.Repeat("e", 9000), "D": "d"})}
	testmutate.Each(t, 3000, seeds, func(data []byte) { walk(t, data) })
}

// Storages within storages cost what they are, however many.
func TestNestedStoragesAreCheap(t *testing.T) {
	path := strings.Repeat("s/", 5000) + "end"
	f, err := cfb.Open(testcfb.Make(testcfb.Files{path: "here"}))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Root()
	for range 5000 {
		s = s.Storage("s")
	}
	if string(s.Stream("end")) != "here" {
		t.Error("the innermost stream is lost")
	}
}
