package guess

import (
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

func TestEncodingsHaveTheNamesThatPeopleKnow(t *testing.T) {
	for name, want := range map[string]encoding.Encoding{
		"windows-1250": charmap.Windows1250, "cp1250": charmap.Windows1250, "WINDOWS-1250": charmap.Windows1250,
		"latin2": charmap.ISO8859_2, "iso-8859-16": charmap.ISO8859_16, "sjis": japanese.ShiftJIS, "EUC-JP": japanese.EUCJP,
		"ibm437": charmap.CodePage437, "IBM850": charmap.CodePage850, "ibm852": charmap.CodePage852, "macintosh": charmap.Macintosh,
		"": nil, "windows-1249": nil, "utf-8": nil, "utf8": nil, "iso-2022-jp": nil, "hz-gb-2312": nil,
	} {
		if got := Named(name); got != want {
			t.Errorf("%q is %v, want %v", name, got, want)
		}
	}
	for _, d := range doubles {
		if Named(d.name) == nil {
			t.Errorf("%s has no encoding", d.name)
		}
	}
}

func TestWrongNamesAreNearToRightOnes(t *testing.T) {
	for name, want := range map[string]string{
		"windows1250": "windows-1250", "win-1251": "windows-1251", "cp850": "IBM850", "CP852": "IBM852", "iso8859_15": "ISO-8859-15",
		"mcintosh": "macintosh", "shiftjis": "Shift_JIS", "koi-8r": "KOI8-R",
	} {
		if got := Nearest(name); got != want {
			t.Errorf("%q is near to %s, want %s", name, got, want)
		}
	}
}
