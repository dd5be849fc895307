package markup

import (
	"context"
	"html"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// cueTime matches the line above a subtitle, "00:12:05,400 --> 00:12:09,000".
var cueTime = pattern.New(`^\s*((?:\d+:)?\d{1,2}:\d{2})[,.]\d{1,3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}`)

// cueMarkup matches what changes how words look.
var cueMarkup = pattern.New(`<[^<>]*>|\{\\[^{}]*\}`)

// lineTime matches the time at the beginning of a line of a transcript, "[00:12.000 --> 00:14.000] ", "[00:12] " or
// "00:00:12 ".
var lineTime = pattern.New(`^\s*[\[(]?((?:\d+:)?\d{1,2}:\d{2})(?:[,.]\d{1,3})?(?:\s*(?:-->|-|–)\s*(?:\d+:)?\d{1,2}:\d{2}(?:[,.]\d{1,3})?)?[\])]?:?\s+(\S.*)$`)

const maxSpoken = 400 // bytes after which a paragraph ends with the sentence, or soon

// readSubtitles reads the spoken text, with the time of each paragraph.
func readSubtitles(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	w := newWriter(in)
	s := subtitles{b: w.Builder, from: w.from}
	s.read(text)
	if !s.any {
		return nil, document.ErrOther
	}
	return w.document("subtitles", document.Meta{}), nil
}

// SpokenFrom returns when a transcript begins, as a place; nil where a text is none. Transcripts are
// subtitles, or lines that begin with a time.
func SpokenFrom(text string) []document.Part {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line == "WEBVTT" || strings.Trim(line, "0123456789") == "" {
			continue
		}
		m := cueTime.FindStringSubmatch(line)
		if m == nil {
			m = lineTime.FindStringSubmatch(line)
		}
		if m == nil {
			return nil
		}
		return []document.Part{{Unit: document.Time, Name: hours(m[1])}}
	}
	return nil
}

// Spoken writes a transcript into a document, in paragraphs with their times as places.
func Spoken(b *document.Builder, text string) {
	s := subtitles{b: b, from: func(int) {}}
	for line := range strings.Lines(text) {
		if cueTime.MatchString(line) {
			s.read(text)
			return
		}
		if lineTime.MatchString(strings.TrimSpace(line)) {
			break
		}
	}
	s.readLines(text)
}

// readLines reads lines that begin with a time, and what follows them.
func (s *subtitles) readLines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := lineTime.FindStringSubmatch(line); m != nil {
			s.cue(m[1], 0)
			line = m[2]
		}
		s.words(line)
	}
	s.end()
}

// read reads a text line by line.
func (s *subtitles) read(text string) {
	number, shown := 0, false
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if m := cueTime.FindStringSubmatch(line); m != nil {
			s.cue(m[1], number)
			shown = true
			continue
		}
		if line == "" { // what follows is a number, a name, a note or a style
			shown = false
			continue
		}
		if shown {
			s.words(line)
		}
	}
	s.end()
}

// subtitles joins subtitles to paragraphs.
type subtitles struct {
	b         *document.Builder
	from      func(line int) // is told where a paragraph begins
	spoken    strings.Builder
	last      string
	time      string // of the paragraph
	line      int
	any       bool
	next      string // time of the cue
	nextLine  int
	sentenced bool // the last words end a sentence
}

func (s *subtitles) cue(time string, line int) {
	s.any, s.next, s.nextLine = true, hours(time), line
}

// hours writes a time with its hours.
func hours(time string) string {
	if strings.Count(time, ":") == 1 {
		return "00:" + time
	}
	return time
}

// words adds a line. Captions that roll show each line twice.
func (s *subtitles) words(line string) {
	line = strings.Join(strings.Fields(html.UnescapeString(cueMarkup.ReplaceAllString(line, ""))), " ")
	if line == "" || line == s.last {
		return
	}
	if n := s.spoken.Len(); n > maxSpoken && s.sentenced || n > 2*maxSpoken {
		s.end()
	}
	if s.spoken.Len() == 0 {
		s.time, s.line = s.next, s.nextLine
	} else {
		s.spoken.WriteByte(' ')
	}
	s.spoken.WriteString(line)
	s.last, s.sentenced = line, strings.ContainsAny(line[len(line)-1:], `.?!"`) || strings.HasSuffix(line, "。")
}

func (s *subtitles) end() {
	if s.spoken.Len() == 0 {
		return
	}
	s.b.Place(document.Part{Unit: document.Time, Name: s.time})
	s.from(s.line)
	s.b.Paragraph(s.spoken.String())
	s.spoken.Reset()
}
