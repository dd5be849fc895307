package conversation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"dowse/engine"
)

// maxName is the most characters of a name.
const maxName = 100

// CleanName is the function CleanName, behind an interface.
func (f *Folder) CleanName(name string) (string, error) { return CleanName(name) }

// CleanName returns a name in NFC without surrounding white space, or an error that wraps
// engine.ErrConversationName.
func CleanName(name string) (string, error) {
	if !utf8.ValidString(name) {
		return "", badName("it is not UTF-8")
	}
	name = norm.NFC.String(strings.Map(plainSpace, name))
	name = strings.Trim(name, " ")
	for _, r := range name {
		if !printable(r) {
			return "", badName(fmt.Sprintf("it holds %U, which cannot be shown", r))
		}
	}
	switch {
	case strings.IndexFunc(name, unicode.IsPrint) < 0:
		return "", badName("it is empty")
	case utf8.RuneCountInString(name) > maxName:
		return "", badName(fmt.Sprintf("it has more than %d characters", maxName))
	}
	return name, nil
}

func badName(why string) error {
	return fmt.Errorf("%w: %s; choose another one", engine.ErrConversationName, why)
}

// plainSpace turns space separators into spaces.
func plainSpace(r rune) rune {
	if unicode.Is(unicode.Zs, r) {
		return ' '
	}
	return r
}

// printable reports whether a rune may be in a name. Joiners may, since scripts need them; other
// format characters may not.
func printable(r rune) bool {
	return unicode.IsPrint(r) || r == '\u200c' || r == '\u200d'
}

// mostNearest is how many names are suggested for an unknown one.
const mostNearest = 3

// unknown is the error for an unknown name, with the nearest ones.
func unknown(name string, known []engine.Conversation) error {
	shown := string([]rune(strings.ToValidUTF8(name, "\ufffd"))[:min(maxName, utf8.RuneCountInString(name))])
	err := fmt.Errorf("%w %q", engine.ErrNoConversation, shown)
	near := nearest(name, known)
	switch {
	case len(known) == 0:
		return fmt.Errorf("%w: none is kept yet", err)
	case len(near) == 0:
		return fmt.Errorf("%w; dowse contexts lists them", err)
	}
	for i, n := range near {
		near[i] = fmt.Sprintf("%q", n)
	}
	return fmt.Errorf("%w; the nearest: %s", err, strings.Join(near, ", "))
}

// nearest returns similar names, best first: those that contain it or differ in at most a third
// of its letters.
func nearest(name string, known []engine.Conversation) []string {
	type near struct {
		name     string
		distance int
	}
	fold := cases.Fold()
	wanted := []rune(fold.String(name))
	wanted = wanted[:min(len(wanted), maxName)]
	var list []near
	for _, c := range known {
		has := fold.String(c.Name)
		d := distance(wanted, []rune(has))
		within := len(wanted) > 0 && strings.Contains(has, string(wanted))
		if within || d <= max(1, len(wanted)/3) {
			list = append(list, near{c.Name, d})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, n := range list[:min(len(list), mostNearest)] {
		names = append(names, n.name)
	}
	return names
}

// distance is the Levenshtein distance.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1) // distances of a[:i] from b[:j]
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			replaced := diagonal
			if x != y {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
