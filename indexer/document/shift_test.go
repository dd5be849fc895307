package document_test

import (
	"testing"

	"dowse/indexer/document"
)

func TestMarkOfAShift(t *testing.T) {
	for _, c := range []struct {
		before string
		shift  document.Shift
		text   string
		want   string
	}{
		{"holds 10", document.Raised, "5", "^"}, {"10", document.Raised, "−3", "^"}, {"10", document.Raised, "-3", "^"}, {"(a+b)", document.Raised, "2", "^"},
		{"as shown", document.Raised, "1", "^"}, {"größe", document.Raised, "1", "^"}, {"in 1974", document.Raised, "12", "^"}, {"the end.", document.Raised, "3", "^"}, {"SO4", document.Raised, "2−", "^"},
		{"4 m", document.Raised, "2", ""}, {"km", document.Raised, "2", ""}, {"(m", document.Raised, "3", ""}, {"µm", document.Raised, "2", ""}, {"the 5", document.Raised, "th", ""},
		{"M", document.Raised, "lle", ""}, {"", document.Raised, "14", ""}, {"of ", document.Raised, "14", ""}, {"Na", document.Raised, "+", ""}, {"10", document.OnLine, "5", ""},
		{"101", document.Lowered, "2", "_"}, {"CO", document.Lowered, "2", ""}, {"glucose", document.Lowered, "6", ""}, {"x", document.Lowered, "i", ""}, {"10", document.Raised, "", ""},
	} {
		if mark := c.shift.Mark(c.before, c.text); mark != c.want {
			t.Errorf("%q, %q %q: %q, want %q", c.before, string(c.shift), c.text, mark, c.want)
		}
	}
}
