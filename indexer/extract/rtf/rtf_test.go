package rtf_test

import (
	"fmt"
	"strings"
	"testing"

	"dowse/indexer/extract/rtf"
)

func TestTokens(t *testing.T) {
	s := rtf.NewScanner([]byte("{\\rtf1\\ansi a\\'e4\\\\b\r\n\\u-4 \\'3f?c\\~\\f12 d\\bin3 {}}e\\'zz\\*}"))
	var got strings.Builder
	for token, ok := s.Next(); ok; token, ok = s.Next() {
		switch token.Kind {
		case rtf.Text:
			fmt.Fprintf(&got, "%q ", token.Text)
		case rtf.Word:
			fmt.Fprintf(&got, "%s:%d:%v ", token.Word, token.Number, token.Numbered)
			if token.Word == "u" {
				fmt.Fprintf(&got, "%x ", s.Unicode(token.Number, 1))
			}
		case rtf.Symbol:
			fmt.Fprintf(&got, "\\%c ", token.Symbol)
		default:
			fmt.Fprintf(&got, "%d ", token.Kind)
		}
	}
	want := `1 rtf:1:true ansi:0:false "a\xe4\\b" u:-4:true efbfbc "?c" \~ f:12:true "d" "e" \* 2 `
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got.String(), want)
	}
}

func TestSurrogatesAndWhatStandsForThem(t *testing.T) {
	s := rtf.NewScanner([]byte("?\\b ?x"))
	if first, second := s.Unicode(-10179, 0), s.Unicode(-8704, 2); first != "" || second != "😀" {
		t.Errorf("%q, %q", first, second)
	}
	if token, _ := s.Next(); string(token.Text) != "?x" {
		t.Errorf("%+v", token)
	}
}

func TestCharsets(t *testing.T) {
	var c rtf.Charsets
	c.Font(3, 204)
	c.Document(1250)
	c.Document(-1) // none
	for font, want := range map[int]string{3: "а~", 0: "ŕ~"} {
		if got := c.Decode([]byte("\xe0~"), font); got != want {
			t.Errorf("font %d: %q, want %q", font, got, want)
		}
	}
}

func TestGroupsAreBounded(t *testing.T) {
	var g rtf.Groups[int]
	for i := range 10_001 {
		if ok := g.Open(); ok != (i < 10_000) {
			t.Fatalf("group %d: %v", i, ok)
		}
		g.Now = i
	}
	if _, ok := g.Close(); ok {
		t.Error("the deepest group had something of its own")
	}
	if ended, ok := g.Close(); !ok || ended != 10_000 || g.Now != 9998 {
		t.Errorf("%d, %v, then %d", ended, ok, g.Now)
	}
}
