package media

import (
	"slices"
	"strings"
	"time"
)

// words are the metadata of a file that people fill in.
type words struct {
	title        string
	captions     []string // captions and comments, each once
	lines        []string // the same, each on one line
	packets      int      // bytes of XMP that were read
	captionBytes int      // of all captions
	keywords     []string
	people       []string // shown in the picture
	authors      []string
	places       []string // of the world
	device       string
	taken        time.Time

	latitude, longitude string

	icon    bool // too small to be a picture of something
	album   string
	genre   string
	lyrics  string
	spoken  bool // of sound: not music
	artists []string
}

// Bounds of the words of one file, which repeats them in several places.
const (
	maxNames    = 64
	maxCaptions = 16
	maxCaption  = 256 << 10 // bytes; lyrics and show notes have a few thousand
	maxName     = 300       // bytes of a keyword or a name
)

// setTitle takes a title. The first one that is none of a program counts, and a second one is
// something that was said.
func (w *words) setTitle(text string) {
	text = oneLine(text)
	switch {
	case isDefault(text) || !hasWord(text):
	case w.title == "" && len(text) <= maxName:
		w.title = text
	default:
		w.addCaption(text)
	}
}

// addCaption takes a caption or a comment. Programs write one into several fields, and cut it in some.
func (w *words) addCaption(text string) {
	if w.captionBytes += len(text); len(w.captions) >= maxCaptions || w.captionBytes > maxPart {
		return
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r", "\n"))
	if len(text) > maxCaption {
		text = strings.ToValidUTF8(text[:maxCaption], "")
	}
	line := oneLine(text)
	if isDefault(line) || !hasWord(line) || strings.HasPrefix(w.title, line) {
		return
	}
	for i, known := range w.lines {
		switch {
		case strings.HasPrefix(known, line):
			return
		case strings.HasPrefix(line, known):
			w.captions[i], w.lines[i] = text, line
			return
		}
	}
	w.captions, w.lines = append(w.captions, text), append(w.lines, line)
}

func (w *words) keyword(text string) { add(&w.keywords, text) }
func (w *words) person(text string)  { add(&w.people, text) }
func (w *words) author(text string)  { add(&w.authors, text) }
func (w *words) artist(text string)  { add(&w.artists, text) }
func (w *words) place(text string)   { add(&w.places, text) }

// add puts a name into a list that has it not yet.
func add(list *[]string, text string) {
	text = oneLine(text)
	if len(text) <= maxName && len(*list) < maxNames && hasWord(text) && !isDefault(text) && !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// camera takes the names of what took a picture. Makers repeat theirs in that of the model.
func (w *words) camera(by, model, lens string) {
	by, model, lens = oneLine(by), oneLine(model), oneLine(lens)
	if first, _, _ := strings.Cut(by, " "); first != "" && !strings.HasPrefix(strings.ToLower(model), strings.ToLower(first)) {
		model = strings.TrimSpace(by + " " + model)
	}
	if lens != "" && model != "" {
		model += ", " + lens
	}
	if w.device == "" && len(model) <= maxName {
		w.device = model
	}
}

func (w *words) takenAt(at time.Time) {
	if w.taken.IsZero() {
		w.taken = at
	}
}

func (w *words) setPosition(latitude float64, north string, longitude float64, east string) {
	if latitude >= 0 && longitude >= 0 && latitude <= 90 && len(north) == 1 && len(east) == 1 {
		w.latitude, w.longitude = coordinate(latitude, north), coordinate(longitude, east)
	}
}

// picture reports whether a person said something of a picture: its author, its camera and
// its time stand in thousands of others, too.
func (w *words) picture() bool {
	return w.title != "" || len(w.captions)+len(w.keywords)+len(w.people)+len(w.places) > 0
}

// sound reports whether a sound has more than what every song has, a title, an artist and an
// album; spoken recordings are found by these.
func (w *words) sound() bool {
	return len(w.captions) > 0 || w.lyrics != "" || len(w.keywords) > 0 || w.spoken && w.title != ""
}

// video reports whether a video has words: it has a title only if somebody gave it one.
func (w *words) video() bool { return w.sound() || w.title != "" }
