package split

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// slowAlternatives writes a pattern's expression for Go's engine, which knows
// no look-ahead: the alternative \s+(?!\S) is handled by slowNext.
func slowAlternatives(p Pattern) (list []*regexp.Regexp) {
	expression := p.Expression()
	if rest, folded := strings.CutPrefix(expression, "(?i:"); folded {
		contractions, others, _ := strings.Cut(rest, ")|")
		list = append(list, regexp.MustCompile("^(?i:"+contractions+")"))
		expression = others
	}
	expression = strings.Replace(expression, `\s+(?!\S)|`, "", 1)
	// Go's \s knows ASCII only, and not all of that.
	expression = strings.NewReplacer(`[^\s\p{L}`, `[^\s\v\x{85}\pZ\p{L}`, `\s`, `[\s\v\x{85}\pZ]`).Replace(expression)
	for _, a := range strings.Split(expression, "|") {
		list = append(list, regexp.MustCompile("^(?:"+a+")"))
	}
	return list
}

// slowNext tries the alternatives in their order.
func slowNext(alternatives []*regexp.Regexp, text string) int {
	for i, a := range alternatives {
		n := len(a.FindString(text))
		if n == 0 {
			continue
		}
		if i == len(alternatives)-1 && n < len(text) { // white space before something else
			if _, last := utf8.DecodeLastRuneInString(text[:n]); last < n {
				return n - last
			}
		}
		return n
	}
	return 0
}

// parts are of every class of character, and what the patterns name.
var parts = []string{
	"'", "s", "S", "ſ", "ll", "LL", "re", "vE", "d", "M", "T", "a", "é", "中", "ß", "\u1e9e", "1", "23", "½", "٣", " ", "  ", "\t",
	"\n", "\r", "\r\n", "\u00a0", "\u2028", "\u0085", "\v", "\u3000", "!", "...", "🦙", "\u0301", "_", "\x00", "\u200b",
}

func TestPatternsAgainstSlowTwin(t *testing.T) {
	const seed = 21
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, p := range []Pattern{GPT2, Llama3, Qwen2} {
		alternatives := slowAlternatives(p)
		for range 5000 {
			text := ""
			for range 1 + rng.IntN(7) {
				text += parts[rng.IntN(len(parts))]
			}
			for rest := text; rest != ""; {
				n, want := p.Next(rest), slowNext(alternatives, rest)
				if n != want {
					t.Fatalf("%v of %+q: %+q, want %+q", p, rest, rest[:n], rest[:want])
				}
				rest = rest[n:]
			}
		}
	}
}

func TestDigit(t *testing.T) {
	for text, want := range map[string][]string{
		"a12b½": {"a", "1", "2", "b", "½"}, "": nil, "7": {"7"}, "no": {"no"}, "٣ x": {"٣", " x"},
	} {
		var got []string
		for rest := text; rest != ""; {
			n := Digit(rest)
			got = append(got, rest[:n])
			rest = rest[n:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
}

// The tables agree with those of the Go release for what both have known for
// long, and classify is slowClass.
func TestClasses(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		got, width := classify(string(r))
		if got != slowClass(r) || width != utf8.RuneLen(r) {
			t.Fatalf("%U is of class %d, want %d", r, got, slowClass(r))
		}
		if r < 0x250 && (got == letter) != unicode.IsLetter(r) || r < 0x250 && (got == number) != unicode.IsNumber(r) ||
			(got == space) != unicode.IsSpace(r) {
			t.Errorf("%U is of class %d", r, got)
		}
	}
}

func TestRecognise(t *testing.T) {
	for _, p := range []Pattern{GPT2, Llama3, Qwen2} {
		if got, ok := Recognise(p.Expression()); !ok || got != p {
			t.Errorf("the expression of %v is recognised as %v, %v", p, got, ok)
		}
		name, err := p.MarshalText()
		var back Pattern
		if err != nil || back.UnmarshalText(name) != nil || back != p {
			t.Errorf("%v is read back as %v", p, back)
		}
	}
	if _, ok := Recognise(`\w+`); ok {
		t.Error("an unknown expression is recognised")
	}
	if err := new(Pattern).UnmarshalText([]byte("other")); err == nil {
		t.Error("an unknown name is accepted")
	}
}

func FuzzNext(f *testing.F) {
	f.Add("don't  12345\r\n\xff x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range []Pattern{Whole, GPT2, Llama3, Qwen2} {
			for rest := text; rest != ""; {
				n := p.Next(rest)
				if n < 1 || n > len(rest) {
					t.Fatalf("%v of %+q is %d bytes", p, rest, n)
				}
				rest = rest[n:]
			}
		}
	})
}

func ExamplePattern_Next() {
	for rest := "It's  42 files"; rest != ""; {
		n := Llama3.Next(rest)
		fmt.Printf("%q ", rest[:n])
		rest = rest[n:]
	}
	// Output: "It" "'s" " " " " "42" " files"
}
