package cells

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestScreen draws what terminals are told, also where a write ends within a
// sequence or a letter.
func TestScreen(t *testing.T) {
	for _, c := range []struct{ name, written, want string }{
		{"lines", "ab\r\ncd", "ab\ncd\n"},
		{"wide", "日本x\x1b[1;3Hy", "日yx\n\n"},
		{"erase", "abcdef\x1b[3G\x1b[K\r\nxyz\x1b[1K", "ab\n\n"},
		{"screen", "ab\r\ncd\x1b[2J\x1b[Hz", "z\n\n"},
		{"scroll", "a\r\nb\r\nc\r\nd", "b\nc\nd"},
		{"region", "a\r\nb\r\nc\x1b[2;3r\x1b[3;1H\nd", "a\nc\nd"},
		{"insert", "abc\x1b[1;2H\x1b[2@\x1b[2;1Hxyz\x1b[2;1H\x1b[P", "a  bc\nyz\n"},
		{"rows", "a\r\nb\r\nc\x1b[2;1H\x1b[L", "a\n\nb"},
		{"modes", "\x1b[?1049h\x1b]0;title\x07\x1b[6na\x1b]52;c;eA==\x1b\\b", "ab\n\n"},
		{"end", "abcdefgh", "abcdeh\n\n"},
	} {
		whole, parts := New(6, 3), New(6, 3)
		_, _ = whole.Write([]byte(c.written))
		for i := range len(c.written) {
			_, _ = parts.Write([]byte(c.written[i : i+1]))
		}
		if got := whole.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := parts.Text(); got != c.want {
			t.Errorf("%s, byte by byte: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestInks tells runs of colours and weights apart, and names each ink once.
func TestInks(t *testing.T) {
	s := New(8, 2)
	_, _ = s.Write([]byte("a\x1b[1;38;2;1;2;3mbc\x1b[22md\x1b[0m\r\n\x1b[31m\x1b[91mx\x1b[1;38;2;1;2;3my\x1b[39;4mz\x1b[m."))
	var legend []string
	rows := s.Inks(&legend)
	if want := []string{"1. 2a 1b", "1c 1a 1d"}; !slices.Equal(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	if want := []string{"1;38:2:1:2:3", "38:2:1:2:3", "91", "1;4"}; !slices.Equal(legend, want) {
		t.Errorf("%q, want %q", legend, want)
	}
}

// TestSVG is well formed, and has the text and its colours.
func TestSVG(t *testing.T) {
	s := New(12, 2)
	_, _ = s.Write([]byte("  <a & b>\r\n\x1b[1;38;2;255;0;16;48;2;0;0;1m日\x1b[0m"))
	svg := s.SVG(Theme{Background: "#1e1e1e", Foreground: "#d7dae0"})
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
	for _, want := range []string{
		`<text x="28.8" y="25.5" textLength="58.8">&lt;a &amp; b&gt;</text>`, `font-weight="bold" fill="#ff0010">日<`, `width="16.8" height="18.0" fill="#000001"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is not in\n%s", want, svg)
		}
	}
}
