package passage

import (
	"strings"
	"testing"
)

// TestColumnsAbove finds the head of a table that a chunk begins within.
func TestColumnsAbove(t *testing.T) {
	const head = "| Crop | Bed |\n|---|:-:|\n| leek | 6 |\n| pea | 4 |\n"
	for _, c := range []struct{ body, from, want string }{
		{"# Beds\n\n" + head, "| pea", "| Crop | Bed |"},
		{"  | Crop | Bed |\r\n  |---|---|\r\n  | pea | 4 |\r\n", "  | pea", "| Crop | Bed |"},
		{head, "|---", "| Crop | Bed |"},
		{head, "| leek", "| Crop | Bed |"},
		{head, "| Crop", ""},
		{"Beds\n" + head + "\nbehind\n", "behind", ""},
		{head + "\n| other | 1 |\n| rows | 2 |\n", "| rows", ""},
		{head + "\n| other | 1 |\n| rows | 2 |\n", "| other", ""},
		{"|---|---|\n| pea | 4 |\n", "| pea", ""},
		{head, " |", ""},
		{"| Crop |\n|---|\n" + strings.Repeat("| leek leek leek |\n", farthestColumns/18) + "| pea |\n", "| pea", ""},
	} {
		at := strings.Index(c.body, c.from)
		if c.from == " |" {
			at = len(c.body)
		}
		if got := columnsAbove(c.body, at); got != c.want {
			t.Errorf("above %q: %q, want %q", c.from, got, c.want)
		}
	}
}
