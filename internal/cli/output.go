package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"dowse/engine"
	"dowse/internal/reply"
	"dowse/tui"
)

// printable makes text from files safe for a terminal, line by line.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = tui.Sanitize(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

// oneLine makes text safe for a terminal and puts it in one line: joined errors and names of files
// may have several.
func oneLine(s string) string { return tui.Sanitize(strings.ReplaceAll(s, "\n", "; ")) }

// isTerminal reports whether w is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// takesEscapes reports whether w is a terminal that understands escape sequences.
func takesEscapes(w any) bool { return isTerminal(w) && tui.TakesEscapes(os.Getenv("TERM")) }

// wantColour reports whether w takes colour and no setting forbids it.
func wantColour(w any) bool { return takesEscapes(w) && !refusesColour() }

// painter returns what colours standard output, as --color says.
func (s *streams) painter() func(style, string) string {
	return painter(s.colour == colourAlways || s.colour != colourNever && wantColour(s.out))
}

// refusesColour reports whether NO_COLOR, or the older CLICOLOR, turns colour off.
func refusesColour() bool { return os.Getenv("NO_COLOR") != "" || os.Getenv("CLICOLOR") == "0" }

// plain is a writer of text for people. What passes through it is safe for a
// terminal, line by line, and without colour.
type plain struct{ w io.Writer }

// Write writes whole lines, or pieces that do not cut a letter in two.
func (p plain) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.w, printable(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// table is text for people in columns. Nothing in a cell can end it, or its row.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer) table { return table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)} }

// row adds a row; flush writes them.
func (t table) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = tui.Sanitize(cell)
	}
	fmt.Fprintln(t.w, strings.Join(cells, "\t"))
}

func (t table) flush() error { return t.w.Flush() }

// jsonVersion is that of what commands print as JSON. It changes when a key changes its meaning.
const jsonVersion = 1

// writeJSON prints one value on one line, an object with the version of its keys.
func writeJSON(w io.Writer, v any) error {
	line, err := reply.JSON(v)
	if err != nil {
		return err
	}
	text := safeJSON(line)
	if object, is := strings.CutSuffix(text, "}"); is {
		if object != "{" {
			object += ","
		}
		text = object + fmt.Sprintf(`"version":%d}`, jsonVersion)
	}
	_, err = io.WriteString(w, text+"\n")
	return err
}

// safeJSON is JSON in which what could steer a terminal is escaped, so that the value is the
// same and the line may be shown or logged.
func safeJSON(line json.RawMessage) string {
	safe := make([]byte, 0, len(line))
	for _, r := range string(line) { // in a string, all of them: JSON has none elsewhere
		if tui.Unsafe(r) {
			safe = fmt.Appendf(safe, `\u%04x`, r)
		} else {
			safe = utf8.AppendRune(safe, r)
		}
	}
	return string(safe)
}

// progressLine draws what goes on in one line of a terminal, rewritten in
// place a few times a second, by a carriage return and blanks alone. Where stderr is no
// terminal, or one that prints on paper as it were, it prints a line
// when the phase changes, so that logs stay short.
type progressLine struct {
	w     io.Writer
	live  bool
	drawn time.Time
	width int    // of what stands in the line
	last  string // phase last printed, where not live
}

func newProgressLine(w io.Writer) *progressLine {
	return &progressLine{w: w, live: takesEscapes(w)}
}

// redrawEvery bounds the rate of redrawing.
const redrawEvery = 100 * time.Millisecond

// show draws text now, or not, if something was drawn just before.
func (p *progressLine) show(phase, text string) {
	text = tui.Sanitize(text)
	if !p.live {
		if phase != p.last {
			p.last = phase
			fmt.Fprintln(p.w, text)
		}
		return
	}
	if time.Since(p.drawn) < redrawEvery {
		return
	}
	p.drawn = time.Now()
	p.draw(clip(text, 78))
}

// draw puts text in the place of what stands in the line.
func (p *progressLine) draw(text string) {
	width := tui.Width(text)
	fmt.Fprintf(p.w, "\r%s%s", text, strings.Repeat(" ", max(0, p.width-width)))
	p.width = width
}

// done wipes the line.
func (p *progressLine) done() {
	if p.live && !p.drawn.IsZero() {
		p.draw("")
		fmt.Fprint(p.w, "\r")
	}
}

// event draws a progress event of the indexer and passes over others.
func (p *progressLine) event(e engine.Event) {
	if e.Problem != "" {
		p.done()
		fmt.Fprintln(p.w, "dowse: "+oneLine(e.Problem))
	}
	if c := e.Change; c != nil && !c.Over {
		p.show("changing", c.String())
	}
	if e.Progress == nil {
		return
	}
	pr := e.Progress
	switch pr.Phase {
	case engine.Scanning:
		p.show("scanning", "looking for files")
	case engine.Indexing:
		text := fmt.Sprintf("indexing %s of %s files, %s of %s",
			humanize.Comma(int64(pr.FilesDone)), humanize.Comma(int64(pr.FilesTotal)),
			humanize.Bytes(uint64(pr.BytesDone)), humanize.Bytes(uint64(pr.BytesTotal)))
		text += rateText(pr)
		if pr.Part != "" {
			text += ", " + pr.Part
		}
		p.show("indexing", text)
	case engine.Embedding:
		text := fmt.Sprintf("words find all; meaning finds %s of %s passages that are new", humanize.Comma(int64(pr.Chunks)), humanize.Comma(int64(pr.ChunksTotal)))
		p.show("embedding", text+rateText(pr))
	case engine.Merging:
		p.show("merging", "tidying the index")
	case engine.Idle:
	}
}

// rateText says how fast passages are embedded and how long that takes, where it can be said.
func rateText(pr *engine.Progress) (text string) {
	if seconds := time.Since(pr.Started).Seconds(); pr.Phase == engine.Embedding && pr.Chunks > 0 && seconds > 0.5 {
		text = fmt.Sprintf(", %.0f a second", float64(pr.Chunks)/seconds)
	}
	if left := pr.Left(time.Now()); left > 0 {
		text += ", " + humanize.RelTime(time.Now(), time.Now().Add(left), "", "left")
	}
	return text
}

// clip cuts text to n characters.
func clip(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:n-1]) + "…"
}

// mostNamed is how many files are named in a row.
const mostNamed = 5

// namesText names some of so many files.
func namesText(files []string, count int) string {
	text := strings.Join(files[:min(len(files), mostNamed)], ", ")
	if more := count - min(len(files), mostNamed); more > 0 {
		text += fmt.Sprintf(" and %s more", humanize.Comma(int64(more)))
	}
	return text
}

// skippedText lists the reasons why files were left out, most frequent first.
func skippedText(skipped map[string]int) string {
	reasons := engine.SkipReasons(skipped)
	for i, r := range reasons {
		reasons[i] = fmt.Sprintf("%s %s", humanize.Comma(int64(skipped[r])), r)
	}
	return strings.Join(reasons, ", ")
}

// bytesText is a size for people.
func bytesText(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }
