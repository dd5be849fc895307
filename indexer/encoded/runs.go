package encoded

import (
	"cmp"
	"slices"
	"strings"

	"dowse/internal/pattern"
)

// Run is a stretch of a text that was encoded, in bytes.
type Run struct {
	Start, End int
	Vector     bool // numbers, between brackets that stay
	What       What
}

// Bounds of runs, in bytes.
const (
	minRun     = 512
	minLine    = 48 // lines that may be put together
	unlikeness = 5  // one of so many neighbours is as no language has them
	idBytes    = 3  // lines that all begin with the same so many are identifiers
)

// Runs returns the encoded runs of a text, in their order.
func Runs(text string) []Run {
	return ordered(text, slices.Concat(words(text), lines(text), vectors(text), armoured(text), tokens(text)))
}

// ordered sorts runs, and makes one of those between which nothing stands.
func ordered(text string, runs []Run) []Run {
	slices.SortFunc(runs, func(a, b Run) int { return cmp.Compare(a.Start, b.Start) })
	merged := runs[:0]
	for _, r := range runs {
		if n := len(merged); n > 0 && strings.Trim(text[merged[n-1].End:max(r.Start, merged[n-1].End)], " \t\r\n") == "" {
			merged[n-1].End = max(merged[n-1].End, r.End)
			merged[n-1].What = max(merged[n-1].What, r.What)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// words returns the runs that are words of an alphabet.
func words(text string) (runs []Run) {
	last := piece{}
	for at := 0; at < len(text); {
		if alphabet[text[at]] == none {
			at++
			continue
		}
		end := at + 1
		for end < len(text) && alphabet[text[end]] != none {
			end++
		}
		p := piece{start: at, end: end}
		if end < len(text) && (text[end] == '=' || text[end] == '\\' || text[end] == '%') { // it may go on
			p = pieceAt(text, at)
		}
		at = p.end
		if p.size() >= minLine {
			run, ok := gather(text, last, p)
			if ok {
				runs = append(runs, run)
			}
			at = run.End
		}
		last = p
	}
	return runs
}

// gather puts together the pieces that may be a run with the first of them, and says whether they are one; before is the
// word before.
func gather(text string, before, first piece) (Run, bool) {
	g := group{text: text, run: Run{Start: first.start, End: first.end}, width: first.size(), last: first}
	g.look = lookAt(text, first)
	for g.more() {
	}
	if g.lines > 0 && (g.alike == g.lines || g.look.isHashes(g.width)) {
		return g.run, false
	}
	if g.lines > 0 && before.isHead(text) && joint(text[before.end:]) == first.start-before.end {
		g.run.Start = before.start // the rest of the line with its name
		g.look.add(lookAt(text, before))
	}
	at, announced := announcement(text, g.run.Start)
	if announced {
		g.run.Start = at
	}
	return g.run, g.look.letters >= minRun && (announced || g.look.encoded())
}

// group is pieces that belong together.
type group struct {
	text  string
	run   Run
	last  piece
	width int // of the lines
	lines int // behind the first
	alike int // those that begin as the line before
	look  look
}

// more adds the piece on the next line, if that belongs to the others and more may.
func (g *group) more() bool {
	n := joint(g.text[g.last.end:])
	if g.last.padded || n == 0 {
		return false
	}
	next, look := pieceAt(g.text, g.last.end+n), look{}
	if g.lines == 0 && next.size() >= minLine && next.size() != g.width {
		if g.width = next.size(); !g.last.begins(g.text) && !g.look.encoded() { // a path above the lines
			g.run.Start, g.look = next.start, look
		}
	}
	full := next.size() == g.width
	if look = lookAt(g.text, next); full || next.isTail(g.text, g.width, look) {
		g.look.add(look)
		g.run.End = next.end
	}
	if full && g.text[next.start:next.start+idBytes] == g.text[g.last.start:min(len(g.text), g.last.start+idBytes)] {
		g.alike++
	}
	if g.last = next; full {
		g.lines++
	}
	return full
}

// joints are what stands between two lines of a run, a blank line included.
var joints = pattern.New(`^[^A-Za-z0-9\r\n\\&]{0,8}(?:\r?\n[ \t]*\r?\n|\r?\n|(?:\\r)?\\n|(?:&#(?:10|13|x[AaDd]);)+(?:\r?\n)?)[ \t]{0,64}[^A-Za-z0-9+/_\-\r\n]{0,8}`)

// maxJoint is how long a joint is at most.
const maxJoint = 256

// joint returns the length of the joint that a text begins with, 0 where there is none.
func joint(text string) int {
	if text == "" || alphabet[text[0]] != none {
		return 0
	}
	return len(joints.FindString(text[:min(len(text), maxJoint)]))
}

// maxAnnouncement is how long "data:image/png;name=pond.png;base64," is at most.
const maxAnnouncement = 256

// announcement returns where that begins which says what comes at an offset.
func announcement(text string, at int) (int, bool) {
	head := strings.TrimRight(text[max(0, at-maxAnnouncement):at], " \t\r\n\\")
	if !strings.HasSuffix(head, "base64,") {
		return at, false
	}
	n := strings.LastIndex(head, "data:")
	if n < 0 || strings.ContainsAny(head[n:], " \t\r\n\"'<>()") {
		return at, false
	}
	return max(0, at-maxAnnouncement) + n, true
}
