package pattern

import (
	"reflect"
	"regexp"
	"testing"
)

func TestPatternIsItsExpression(t *testing.T) {
	const syntax = `(\w)(\d+)?`
	p, want := New(syntax), regexp.MustCompile(syntax)
	for _, text := range []string{"", "a1 b22", "--", "ä7"} {
		if !reflect.DeepEqual(p.FindAllStringSubmatchIndex(text, -1), want.FindAllStringSubmatchIndex(text, -1)) ||
			p.MatchString(text) != want.MatchString(text) || p.ReplaceAllString(text, "$2") != want.ReplaceAllString(text, "$2") {
			t.Errorf("%q is matched otherwise", text)
		}
	}
}

// Tests compile each pattern at once, so that a wrong one does not wait for its first use.
func TestWrongSyntaxIsNoticed(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a pattern with wrong syntax was made")
		}
	}()
	New(`(`)
}
