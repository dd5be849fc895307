package book

import (
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/internal/testmutate"
)

// scan is a document of two pages by djvulibre 3.5.28: cjb2, djvm and djvused.
const scan = "" +
	"QVQmVEZPUk0AAAIGREpWTURJUk0AAAA7gQADAAAAeAAAAVIAAAGY///Sv4ofVACdKS3uv8bcLHP8z2YeCbG/0/lJxiLbX7a4UXgds4HsYbXrPxUATkFWTQAAABv//+D+b9pbaE4Kps9CFcLEWL+kMZ" +
	"pc+HiNQW8ARk9STQAAANJESlZVSU5GTwAAAAoAEAAQGAAsARYBSU5DTAAAAA9zaGFyZWRfYW5uby5pZmYAU2piegAAABKHvJRqD8zYkVTD+TZKCY05yn9BTlR6AAAAKf//1PrQG1OZnAnKGuZpXVpH" +
	"tcI3QY8xhSpLAwR1UdILP85bNCbpxun+AFRYVHoAAABQ//9liRJrHFtJ9IWI0q6xprnUhzTgh0Ol32tz98xJF/lc2bwawWY1g8gtcwEx3FAHxn/YlYd5NRpR1yntvgyDfk14DBOZ3rEiE0pQ4Tcd2i" +
	"lGT1JNAAAAPkRKVklBTlR6AAAAMv//yvqBr0EwrK7OMajwhf6JfCBa9paeUt/CJttQ6JSUJv0zyQhLJ2OL6LihddJVTejfRk9STQAAAHJESlZVSU5GTwAAAAoAEAAQGAAsARYBSU5DTAAAAA9zaGFy" +
	"ZWRfYW5uby5pZmYAU2piegAAABKHvJRqD8zYkVTD+TZKCY05yn9UWFR6AAAAIv//2YkUufwWifZP7v+qJ6EkmjU+IEGQEPu9enpnlmSHi78="

// packed is 120 lines by its bzz -e10.
const packed = "" +
	"/+1p+s+1tqtmMJX0Xt2BRzSrr+/sskHnHg9pC25zN+bMOBXJhqM/MaLY2gE80u+o4ZrjJDuX7YvNT2g/hlfTxZYjYjmEOBmxrme72oAdJKOAZMwbeU/ihG3/ScQkCK6qkJLsd8CC4jVD4tGbJhUQw5" +
	"mxzooiLWBi69ZNRqFTjrl4lo8jhXGriHMmrDD2cr3TKQuhp2ZYQllBr0OGMX+AS6rUJ32zCHMMfEKpeXB1qc2wGntxvF/OGLUgQ54GDBxeZBANBqjmj38Ys1ExS/ZQ/U4OIn2pHrpVSLpyHVRIGseJ" +
	"dBxrk0rgXzpBKfhxwIZKhDIgAeXlLN2keDUFSRJlRJRSztBIo7fjpntwKKgVR47OlmVn9tTvmdZTIUiZn1kNIFGl5wgypCX0/uhmZ0DA7qEQXCGIkVk0bIhROYjpw4mKuepYUyB3yu13JIWR5uakhX" +
	"P6uDv3tvFk08zAZYLA/8j8TzDk9erN+dK020JaZ5YVoQFBeObilVBMCFkZL7hbpCELAg/NIYxolWH37YCvKE8WT6/DwGJd0q0l3S100xboE2ctwxEW/ed7rdXhiWdrI8XqJST7mT5+uWb0nq21JKSM" +
	"U13AJT4RpSAsQtA8Q/3inpWreglrj7Y+DG65ojDvpu728QByn7r2TqDblKqgAAsGf58eHV8uJq0Nfdc26Av5oLtkQZ3dyBhbIyiAReGoDByaK/VRQJhZzsgU9d9vXCAECtDEzOdMbxtTXhJ9Jqr5/x" +
	"JH7Scj0DOZmzmQ1zuNQf7urJVRKoq2vvEKLzK8/6j1CP3c0VYUfqRk1bHOTw=="

func decoded(t testing.TB, s string) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTextLayersOfDjVu(t *testing.T) {
	d, err := read("a.djvu", decoded(t, scan))
	if err != nil {
		t.Fatal(err)
	}
	if want := "- Tiles\n- Slate\n\nask \"Ann\"\n\nIt leaks.\n\nGröße matters.\n\nThe second page."; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
	if want := (document.Meta{Title: "The Roof", Authors: []string{"Ann Lee"}}); !reflect.DeepEqual(d.Meta, want) {
		t.Errorf("%+v", d.Meta)
	}
	for text, place := range map[string]string{"leaks": "page 1", "second": "page 2"} {
		if got := document.Label(d.Place(strings.Index(d.Text, text))); got != place {
			t.Errorf("%q is of %q", text, got)
		}
	}
	bare := "AT&TFORM\x00\x00\x00\x04DJVU"
	if _, err := read("a.djvu", []byte(bare)); !errors.Is(err, document.ErrNoText) {
		t.Errorf("a scan without text: %v", err)
	}
}

func TestBlocksAreUnpacked(t *testing.T) {
	var want strings.Builder
	for i := range 120 {
		fmt.Fprintf(&want, "The roof of house %d leaks since %d.\n", i*i, i*7)
	}
	got, err := bzz(decoded(t, packed), maxPage)
	if err != nil || string(got) != want.String() {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, err = bzz(decoded(t, packed), 100); err != nil || len(got) != 100 {
		t.Errorf("%d bytes of 100, %v", len(got), err)
	}
	for _, bad := range []string{"", "\x00", "\xff\xff\xff", strings.Repeat("\x00", 99), strings.Repeat("\x01\x80", 999)} {
		if got, err := bzz([]byte(bad), 1<<20); len(got) > 1<<20 {
			t.Errorf("%q: %d bytes, %v", bad, len(got), err)
		}
	}
}

func TestDamagedScansGiveWhatTheyCan(t *testing.T) {
	testmutate.Each(t, 500, [][]byte{decoded(t, scan)}, func(data []byte) {
		if d, err := read("a.djvu", data); err == nil && !utf8.ValidString(d.Text) {
			t.Fatalf("%.100q", data)
		}
	})
	testmutate.Each(t, 150, [][]byte{decoded(t, packed)}, func(data []byte) {
		if got, _ := bzz(data, 1<<20); len(got) > 1<<20 {
			t.Fatalf("%d bytes", len(got))
		}
	})
}
