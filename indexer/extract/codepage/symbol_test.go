package codepage_test

import (
	"testing"

	"dowse/indexer/extract/codepage"
)

func TestSymbol(t *testing.T) {
	for letter, want := range map[rune]string{'m': "μ", 0xf06d: "μ", 0xa3: "≤", 0xf0b4: "×", 0xb0: "°", 'W': "Ω", 0xf0fe: "⎭", 0xa0: "€", 0xe5: "∑", 0xde: "⇒", 0x85: "", '3': "3", 0xe1: "〈", 0x2022: "•"} {
		if got := codepage.Symbol("Symbol", letter); got != want {
			t.Errorf("%x shows %q, want %q", letter, got, want)
		}
	}
	if got := codepage.Symbols("BCDEFG+Wingdings-Regular", "\uf0fe done\uf04f"); got != "☑ done" {
		t.Errorf("%q", got)
	}
	if got := codepage.Symbols("Arial", "\uf06dm"); got != "\uf06dm" {
		t.Errorf("%q", got)
	}
}
