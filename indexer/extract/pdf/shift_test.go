package pdf

import (
	"strings"
	"testing"
)

// TestShiftedText: small characters above or below their line, as programs draw them, are not joined to a number.
func TestShiftedText(t *testing.T) {
	const want = "It holds 10^5 newtons over 4 m2, as shown^3 in 1974^12; 101_2."
	draw := func(size, rise string) string { // of what is raised, lowered to the same depth
		up := func(s string) string { return "/F " + size + " Tf " + rise + " Ts (" + s + ") Tj /F 12 Tf 0 Ts " }
		down := "/F " + size + " Tf -2 Ts (2) Tj /F 12 Tf 0 Ts "
		return "BT /F 12 Tf 50 700 Td (It holds 10) Tj " + up("5") + "( newtons over 4 m) Tj " + up("2") + "(, as shown) Tj " + up("3") + "( in 1974) Tj " + up("12") + "(; 101) Tj " + down + "(.) Tj ET"
	}
	for name, page := range map[string]string{"a browser": draw("10", "4"), "TeX": draw("7", "4.4"), "a word processor": draw("8", "4")} {
		d, err := readMade(t, newReader(t), made{pages: []string{page}}.bytes())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(d.Text); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
