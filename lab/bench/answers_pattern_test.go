package bench

import (
	"strings"
	"testing"
)

// TestPatterns: patterns match what they match in Python. What RE2 lacks is an
// error that names it.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		python, text string
		want         bool
	}{
		{`tuesday`, "On TUESDAY", true},
		{`a.b`, "a\nb", true},
		{`^no`, "x\nno", false}, // not of each line
		{`24\s*°`, "24\u00a0°", true},
		{`a\sb`, "a\u2028b", true},
		{`a\sb`, "a\x1fb", true},
		{`a\Sb`, "a\u00a0b", false},
		{`a[\s,]b`, "a\u00a0b", true},
		{`a[^\s]b`, "a\u00a0b", false},
		{`^\w+$`, "Jílková_7", true},
		{`\W`, "é", false},
		{`^[\w-]+$`, "où-est", true},
		{`^\d$`, "٣", true},
		{`\D`, "٣", false},
		{`[^\D]`, "٣", true},
		{`[\D]`, "x", true},
		{`\\s`, "s", false}, // a backslash, and s
		{`\\s`, `\s`, true},
		{`[]\s]x`, "]x", true},
		{`[^]\s]x`, "]x", false},
		{`[[]\d`, "[5", true},
		{`x{,2}y`, "xxy", true},
		{`^x{,2}y`, "xxxy", false},
		{`[{,]x`, ",x", true},
		{`end\Z`, "the end", true},
		{`end\Z`, "ends", false},
		{`\b15\b`, "at 15°", true},
		{`\b15\b`, "at 155", false},
		{`(?:a|b)c{1,2}\.`, "bcc.", true},
	} {
		re, err := compilePattern(c.python)
		if err != nil {
			t.Errorf("%s: %v", c.python, err)
		} else if got := re.MatchString(c.text); got != c.want {
			t.Errorf("%s on %q: %v, and %v in Python", c.python, c.text, got, c.want)
		}
	}
	for python, want := range map[string]string{`may(?!\?)`: `(?!`, `(a)\1`: `\1`, `a++`: `++`, `(`: "missing closing )"} {
		if _, err := compilePattern(python); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", python, err, want)
		}
	}
}

func TestFlatten(t *testing.T) {
	if got := flatten("\n- **Fuel tap**\n  > `to`\u00a0the | RIGHT_\n"); got != "fuel tap to the right" {
		t.Errorf("flattened: %q", got)
	}
}
