package code

import (
	"strings"
	"unicode"

	"dowse/internal/pattern"
)

// Symbol is a name of a program in a query.
type Symbol struct {
	Name  string // Close, or Server.Close
	Whole bool   // the query asks for nothing else
}

// keywords may stand before the symbol that a query is.
var keywords = setOf("func function fn def fun class struct interface type trait enum const var method macro module")

// method is that of Go with its receiver, as it is defined and as passages say where they are.
var method = pattern.New(`^\s*func \((?:\w+ )?\*?(\w+)(?:\[[^\]]*\])?\) ?(\w+)[^ ]*\s*$`)

// Symbols finds the symbols of a query: the whole of it, as in "Mux", "type Mux" or "http.Server", or those within a
// sentence that are written as no word of a language is: with an underscore, a capital within, a dot or two colons between
// names, or parentheses behind. A word with a capital that does not begin the sentence counts as well.
func Symbols(query string) (symbols []Symbol) {
	if m := method.FindStringSubmatch(query); m != nil {
		return []Symbol{{Name: m[1] + "." + m[2], Whole: true}}
	}
	fields := strings.Fields(query)
	if len(fields) == 2 && keywords[strings.ToLower(fields[0])] {
		fields = fields[1:]
	}
	if len(fields) == 1 {
		if name, _ := symbolOf(fields[0]); name != "" {
			return []Symbol{{Name: name, Whole: true}}
		}
		return nil
	}
	for i, f := range fields {
		if name, certain := symbolOf(f); name != "" && (certain || i > 0 && isCapitalised(name)) {
			symbols = append(symbols, Symbol{Name: name})
		}
	}
	return symbols
}

// symbolOf returns the name that a field is, without marks around it; certain says that no word is written so.
func symbolOf(field string) (name string, certain bool) {
	name = strings.Trim(field, "\"'`?!,;:*&")
	if called := strings.TrimSuffix(name, "()"); called != name {
		name, certain = called, true
	}
	name = strings.NewReplacer("::", ".", "#", ".", "->", ".", "(*", "", "(", "", ")", "").Replace(name)
	name = strings.Trim(name, ".")
	last, parts := rune(0), 0
	for i, r := range name {
		switch {
		case r == '.':
			if last == '.' {
				return "", false
			}
			parts++
		case r == '_' && i > 0:
			certain = true
		case r == '_' || r == '$' || unicode.IsLetter(r):
			certain = certain || unicode.IsUpper(r) && unicode.IsLower(last)
		case unicode.IsDigit(r) && i > 0 && last != '.':
		default:
			return "", false
		}
		last = r
	}
	if len(name) < 2 {
		return "", false
	}
	// Of names with dots those are certain that are of a type, and no file: Server.Close, not go.mod.
	return name, certain || parts > 0 && strings.ContainsFunc(name, unicode.IsUpper)
}

// isCapitalised reports whether a name begins with a capital and goes on in small letters.
func isCapitalised(name string) bool {
	small := strings.ToLower(name)
	return name[:1] != small[:1] && name[1:] == small[1:] && len(name) > 2
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
