package encoded

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	oneWord  = regexp.MustCompile(`(?i)[A-Z0-9+/_-](?:[A-Z0-9+/_-]|\\/|%2[bf]|\\u002[bf])*(?:=|%3d|\\u003d){0,3}`)
	wordHere = regexp.MustCompile("^(?:" + oneWord.String() + ")")
	padding  = regexp.MustCompile(`(?i)(?:=|%3d|\\u003d)$`)
)

// slowWords is words by regular expressions, each word a string.
func slowWords(text string) (runs []Run) {
	before := [2]int{}
	for at := 0; at < len(text); {
		m := oneWord.FindStringIndex(text[at:])
		if m == nil {
			break
		}
		found := [2]int{at + m[0], at + m[1]}
		if at = found[1]; found[1]-found[0] >= minLine {
			group, all := slowGroup(text, found)
			width := len(group[0])
			if len(group) > 1 && len(group[1]) >= minLine { // otherwise it is the tail of one line
				width = len(group[1])
			}
			switch run, ok := slowJudge(text, before, all, group, width); {
			case ok:
				runs = append(runs, run)
				fallthrough
			default:
				at = run.End
			}
		}
		before = found
	}
	return runs
}

// slowGroup returns the words that belong together, and where each of them stands.
func slowGroup(text string, first [2]int) (group []string, all [][2]int) {
	group, all = []string{text[first[0]:first[1]]}, [][2]int{first}
	width := first[1] - first[0]
	for end := first[1]; !padding.MatchString(text[:end]); {
		gap := joints.FindString(text[end:min(len(text), end+maxJoint)])
		m := wordHere.FindString(text[end+len(gap):])
		if gap == "" || m == "" {
			break
		}
		if len(all) == 1 && len(m) >= minLine {
			width = len(m)
		}
		start := end + len(gap)
		end = start + len(m)
		if len(m) != width && !slowTail(text, start, m, width) {
			break
		}
		group, all = append(group, m), append(all, [2]int{start, end})
		if len(m) != width {
			break
		}
	}
	return group, all
}

func slowTail(text string, start int, m string, width int) bool {
	behind := text[start+len(m):]
	switch {
	case len(m) > width, width%4 == 0 && len(m)%4 != 0, strings.HasPrefix(behind, " "), strings.HasPrefix(behind, "\t"):
		return false
	case padding.MatchString(m):
		return true
	}
	_, unlike := slowLook(m)
	return unlike > 0 && (len(m) >= 16 || !strings.HasSuffix(text[:start], "\n\n"))
}

func slowJudge(text string, before [2]int, all [][2]int, group []string, width int) (Run, bool) {
	run := Run{Start: all[0][0], End: all[len(all)-1][1]}
	full, alike, firstLooks := 0, 0, group[0]
	hexadecimal := true
	announced := func(at int) bool {
		return at > 0 && strings.ContainsAny(text[at-1:at], `:,;">'(=`)
	}
	differ, unlike := slowLook(firstLooks)
	if len(group) > 1 && len(group[1]) == width && width != len(group[0]) && !announced(all[0][0]) && (unlike == 0 || unlike*5 < differ) {
		run.Start, group = all[1][0], append([]string{""}, group[1:]...)
	}
	for i, m := range group {
		hexadecimal = hexadecimal && strings.Trim(m, "0123456789abcdefABCDEF=") == ""
		if i > 0 && len(m) == width {
			if full++; m[:3] == text[all[i-1][0]:][:3] {
				alike++
			}
		}
	}
	if full > 0 && (full == alike || hexadecimal && slices.Contains([]int{56, 64, 96, 128}, width)) {
		return run, false
	}
	if gap := text[before[1]:all[0][0]]; full > 0 && before[1] > 0 && announced(before[0]) && !padding.MatchString(text[:before[1]]) && strings.Trim(gap[:min(1, len(gap))], ":,;") != "" && gap != "" && joints.FindString(gap+text[all[0][0]:][:1]) == gap {
		run.Start, group = before[0], append(group, text[before[0]:before[1]])
	}
	letters := 0
	differ, unlike = 0, 0
	for _, m := range group {
		d, u := slowLook(m)
		differ, unlike = differ+d, unlike+u
		letters += len(strings.Map(func(r rune) rune {
			if strings.ContainsRune("+/-_", r) || r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				return r
			}
			return -1
		}, m))
	}
	at, said := announcement(text, run.Start)
	if said {
		run.Start = at
	}
	return run, letters >= minRun && (said || unlike > 0 && unlike*5 >= differ)
}

// slowLook counts neighbours that differ, and those that words seldom have.
func slowLook(m string) (differ, unlike int) {
	kind := func(c byte) string {
		switch r := rune(c); {
		case unicode.IsUpper(r):
			return "A"
		case unicode.IsLower(r):
			return "a"
		case unicode.IsDigit(r):
			return "1"
		}
		return "+"
	}
	for i := 1; i < len(m); i++ {
		if m[i] == m[i-1] || strings.IndexByte(`\%=`, m[i]) >= 0 {
			continue
		}
		differ++
		if slices.Contains([]string{"aA", "1A", "1a", "A1", "a1"}, kind(m[i-1])+kind(m[i])) {
			unlike++
		}
	}
	return differ, unlike
}

// slowLines is lines with all lines of a code at hand.
func slowLines(text string) (runs []Run) {
	type row struct {
		Run
		is              code
		letters, digits int
	}
	var rows []row
	at, before := 0, plain
	for line := range strings.Lines(text) {
		bare := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		r := row{Run: Run{Start: at, End: at + len(bare)}}
		r.is, r.letters, r.digits = codeOf(bare, before)
		rows, at, before = append(rows, r), at+len(line), r.is
	}
	for first := 0; first < len(rows); {
		last, letters, digits := first, 0, 0
		for ; last < len(rows) && rows[last].is == rows[first].is; last++ {
			letters, digits = letters+rows[last].letters, digits+rows[last].digits
		}
		run := Run{Start: rows[first].Start, End: rows[last-1].End}
		switch long := run.End-run.Start >= minRun; {
		case rows[first].is == dump && last-first >= minDump && letters*20 >= digits,
			rows[first].is != dump && rows[first].is != plain && long:
			runs = append(runs, run)
		}
		first = last
	}
	return runs
}

var (
	bracketed = regexp.MustCompile(`\[([-+0-9.eE, \t\r\n]*)\]`)
	oneNumber = regexp.MustCompile(`[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?`)
	list      = regexp.MustCompile(`^\s*N(?:\s*,\s*N|\s+N)*\s*$`)
)

// slowVectors is vectors by regular expressions.
func slowVectors(text string) (runs []Run) {
	for _, m := range bracketed.FindAllStringSubmatchIndex(text, -1) {
		inside := text[m[2]:m[3]]
		all := oneNumber.FindAllString(inside, -1)
		exact := 0
		for _, n := range all {
			if strings.ContainsAny(n, ".eE") {
				exact++
			}
		}
		if len(all) >= minNumbers && 2*exact > len(all) && list.MatchString(oneNumber.ReplaceAllString(inside, "N")) {
			runs = append(runs, Run{Start: m[2], End: m[3], Vector: true})
		}
	}
	return runs
}

// agree compares Runs with its twins on a text.
func agree(t *testing.T, text string) {
	t.Helper()
	if got, want := words(text), slowWords(text); !slices.Equal(got, want) {
		t.Fatalf("words: %v, want %v, of %q", got, want, text)
	}
	if got, want := lines(text), slowLines(text); !slices.Equal(got, want) {
		t.Fatalf("lines: %v, want %v, of %q", got, want, text)
	}
	if got, want := vectors(text), slowVectors(text); !slices.Equal(got, want) {
		t.Fatalf("vectors: %v, want %v, of %q", got, want, text)
	}
	last := 0
	for i, r := range Runs(text) {
		if r.Start < last || i > 0 && r.Start == last || r.End <= r.Start || r.End > len(text) {
			t.Fatalf("run %d of %q is %v, behind %d", i, text, r, last)
		}
		last = r.End
	}
}
