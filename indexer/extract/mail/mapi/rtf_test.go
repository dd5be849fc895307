package mapi

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"

	"dowse/internal/testmutate"
)

// packed are the examples of [MS-OXRTFCP] 4.1, the second of which reads what it is about to write.
var packed = map[string]string{
	"2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0": "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n",
	"1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0":                                       "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
	"1000000004000000" + "4d454c41" + "00000000" + "7b5c727466":                                          "{\\rt",
}

func TestRTFIsUnpacked(t *testing.T) {
	for in, want := range packed {
		data, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Unpack(data); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	for _, none := range []string{"", "{\\rtf1 not compressed at all}", strings.Repeat("\x00", 16)} {
		if got, err := Unpack([]byte(none)); err == nil {
			t.Errorf("%q gives %q", none, got)
		}
	}
}

func TestWhatRTFWasMadeAroundIsTakenOut(t *testing.T) {
	head := `{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}{\f1\fmodern\fcharset204 Courier;}{\f2\fcharset128 MS;}}{\colortbl;}{\*\generator Exchange;}`
	for _, c := range []struct{ rtf, text, kind string }{
		{head + `{\*\htmltag64 <p class="a\{b\}">}\htmlrtf {\htmlrtf0 Dear Ann\htmlrtf\par}\htmlrtf0 {\*\htmltag72 </p>}}`, `<p class="a{b}">Dear Ann</p>`, "text/html"},
		{head + `{\*\mhtmltag84 <a href="cid:1">}{\*\htmltag84 <a href="x">}pond{\*\htmltag92 </a>}{\*\htmltag0 \par }{\*\htmltag4 \tab &amp;}}`, "<a href=\"x\">pond</a>\r\n\t&amp;", "text/html"},
		{head + `caf\'e9 {\f1 \'cf\'f0\'ee\'f1\'fc}\htmlrtf \f2 \htmlrtf0 \'93\'fa \u8364\'80\uc2\u233 xx \emdash\~}`, "café Прось日 €é —\u00a0", "text/html"},
		{head + `\u-10179?\u-8704? {\pict 0102}{\*\unknown hidden}shown`, "😀 shown", "text/html"},
		{`{\rtf1\ansi\fromtext \fbidi {\fonttbl{\f0 A;}}one\par` + "\r\n" + `two \'26 three\line four}`, "one\r\ntwo & three\r\nfour", "text/plain"},
		{`{\rtf1\ansi a letter}`, "", ""},
		{`<html>\fromhtml1`, "", ""},
	} {
		if text, kind := Unwrap([]byte(c.rtf)); text != c.text || kind != c.kind {
			t.Errorf("%q %q, want %q %q", text, kind, c.text, c.kind)
		}
	}
}

func TestDeepGroupsEnd(t *testing.T) {
	deep := `{\rtf1\fromhtml1 ` + strings.Repeat(`{\f1 a`, 3*10_000) + strings.Repeat("}", 2*10_000) + "b"
	if text, _ := Unwrap([]byte(deep)); len(text) != 3*10_000+1 {
		t.Error(len(text))
	}
}

func TestDamagedRTFGivesWhatItCan(t *testing.T) {
	var seeds [][]byte
	for _, in := range slices.Sorted(maps.Keys(packed)) {
		data, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, data)
	}
	testmutate.Each(t, 3000, append(seeds[:len(seeds):len(seeds)], []byte(`{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}\'e9\u-10179?\uc3\bin99999999 \htmlrtf\par}`)), func(data []byte) {
		rtf, err := Unpack(data)
		if err != nil {
			rtf = data
		} else if len(rtf) > 9*len(data) {
			t.Errorf("%d bytes of %d", len(rtf), len(data))
		}
		if text, _ := Unwrap(rtf); len(text) > 4*len(rtf) {
			t.Errorf("%d bytes of text, of %d", len(text), len(rtf))
		}
	})
}
