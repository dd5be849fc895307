package markup

import (
	"context"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

var (
	// assLine is a line of Advanced SubStation Alpha: layer, begin, end, style, name, three margins, effect, text.
	assLine = pattern.New(`^Dialogue:\s*[^,]*,\s*(\d+:\d\d:\d\d)[.:]\d+,(?:[^,]*,){7}(.*)$`)
	assHead = pattern.New(`^(Title|Original Script):\s*(\S.*)$`)
	// assDrawing is a drawing within one, which ends with it or where text begins again.
	assDrawing = pattern.New(`\{[^{}]*\\p[1-9][^{}]*\}.*?(?:\{[^{}]*\\p0[^{}]*\}|$)`)
	// lrcLine is a line of a song, with one time or several.
	lrcLine = pattern.New(`^((?:\[\d+:\d\d(?:[.:]\d+)?\]\s*)+)(.*)$`)
	lrcHead = pattern.New(`^\[(ti|ar|al|au):\s*([^\]]*)\]`)
	lrcWord = pattern.New(`<\d+:\d\d(?:\.\d+)?>`)
)

// readCaptions reads lines of subtitles (.ass, .ssa) or of a song (.lrc).
func readCaptions(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	w, meta := newWriter(in), document.Meta{}
	s := subtitles{b: w.Builder, from: w.from}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if m := assLine.FindStringSubmatch(line); m != nil {
			s.cue(padded(m[1]), number)
			s.words(strings.NewReplacer(`\N`, " ", `\n`, " ", `\h`, " ").Replace(assDrawing.ReplaceAllString(m[2], "")))
		} else if m := lrcLine.FindStringSubmatch(line); m != nil {
			s.cue(padded(strings.Trim(m[1][:strings.IndexAny(m[1], ".]")], "[")), number)
			s.words(lrcWord.ReplaceAllString(m[2], ""))
		} else if m := assHead.FindStringSubmatch(line); m != nil {
			sayOf(&meta, m[1], m[2])
		} else if m := lrcHead.FindStringSubmatch(line); m != nil {
			sayOf(&meta, m[1], strings.TrimSpace(m[2]))
		}
	}
	s.end()
	if !s.any {
		return nil, document.ErrOther
	}
	return w.document("subtitles", meta), nil
}

// sayOf takes a line of the head.
func sayOf(meta *document.Meta, name, value string) {
	switch {
	case value == "":
	case name == "Title" || name == "ti":
		meta.Title = value
	case name != "al":
		meta.Authors = append(meta.Authors, value)
	}
}

// timed reads the paragraphs of captions in TTML.
type timed struct {
	s     *subtitles
	line  int
	words strings.Builder
	in    bool
	title bool
	meta  document.Meta
}

// readTimed reads captions in XML (.ttml, .dfxp).
func readTimed(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	w := newWriter(in)
	t := &timed{s: &subtitles{b: w.Builder, from: w.from}}
	if err := w.readElements(ctx, text, t, func(line int) { t.line = line }); err != nil {
		return nil, err
	}
	t.s.end()
	if !t.s.any {
		return nil, document.ErrOther
	}
	return w.document("subtitles", t.meta), nil
}

func (t *timed) start(name string, attribute func(name string) string) {
	switch name {
	case "p":
		begin, _, _ := strings.Cut(attribute("begin"), ".")
		t.s.cue(padded(begin), t.line)
		t.in = true
	case "br":
		t.words.WriteByte(' ')
	case "title":
		t.title = true
	}
}

func (t *timed) text(text string) {
	if t.in || t.title {
		t.words.WriteString(text)
	}
}

func (t *timed) end(name string) {
	switch {
	case name == "p" && t.in:
		t.s.words(t.words.String())
		t.in = false
	case name == "title" && t.title:
		t.meta.Title = spaced(t.words.String())
		t.title = false
	default:
		return
	}
	t.words.Reset()
}

// padded gives the first number of a time two digits.
func padded(time string) string {
	if len(time) > 1 && time[1] == ':' {
		return "0" + time
	}
	return time
}
