package bench

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"dowse/engine/answer"
	"dowse/lab/collection"
)

// List is a question with the passages that a search finds for it: an example to
// train an answerer on.
type List struct {
	Question   string        `json:"question"`
	Kind       string        `json:"kind"`
	Path       string        `json:"path"` // of the note that answers; "" for none
	About      string        `json:"about"`
	Quotes     []string      `json:"quotes"`
	Short      string        `json:"short"`
	Answerable bool          `json:"answerable"`
	Passages   []listPassage `json:"passages"` // best first
	// Quoted is what the reader marks of the passages that an answer is made from,
	// however likely it answers, and Support how likely that is.
	Quoted  []listQuoted `json:"quoted"`
	Support float64      `json:"support"`
}

// listQuoted is the quotation from a passage, as a model is given it.
type listQuoted struct {
	Number  int    `json:"number"` // the passage's rank
	Path    string `json:"path"`
	Heading string `json:"heading"`
	Text    string `json:"text"`
}

// listPassage is a passage of a List.
type listPassage struct {
	Path    string      `json:"path"` // relative to the notes
	Heading string      `json:"heading"`
	Columns string      `json:"columns,omitempty"` // names of its table's, where it begins within one
	Text    string      `json:"text"`
	Score   float64     `json:"score"`
	Pieces  []listPiece `json:"pieces"` // in the order of the text
}

// listPiece is a piece of a passage, as answer.Pieces cuts it. Offsets count code
// points, since most languages that models are trained in index strings by them.
type listPiece struct {
	RuneStart int    `json:"rune_start"`
	RuneEnd   int    `json:"rune_end"` // exclusive
	Kind      string `json:"kind"`
	Block     int    `json:"block"` // pieces of one paragraph or list item share it
}

// pieceKinds names the kinds of pieces.
var pieceKinds = map[answer.Kind]string{
	answer.Prose: "prose", answer.Item: "item", answer.Heading: "heading", answer.Code: "code", answer.Row: "row",
}

// newList makes an example of a question and the passages found for it.
func newList(q *collection.NoteQuestion, found []answer.Passage) List {
	l := List{
		Question: q.Text, Kind: q.Kind, Path: q.Path, About: q.About, Quotes: append([]string{}, q.Quotes...), Short: q.Short,
		Answerable: q.Answerable, Passages: make([]listPassage, len(found)),
	}
	for i, p := range found {
		l.Passages[i] = listPassage{Path: p.Path, Heading: p.Heading, Columns: p.Columns, Text: p.Text, Score: p.Score, Pieces: listPieces(p.Text)}
	}
	return l
}

// listPieces cuts a text, with offsets in code points.
func listPieces(text string) []listPiece {
	pieces := []listPiece{}
	at, runes := 0, 0 // bytes and code points counted so far
	count := func(to int) int {
		runes += utf8.RuneCountInString(text[at:to])
		at = to
		return runes
	}
	for _, p := range answer.Pieces(text) {
		pieces = append(pieces, listPiece{RuneStart: count(p.Start), RuneEnd: count(p.End), Kind: pieceKinds[p.Kind], Block: p.Block})
	}
	return pieces
}

// quote adds the quotations from the passages.
func (l *List) quote(ctx context.Context, found []answer.Passage, s Searcher) error {
	said, err := s.Quote(ctx, l.Question, found)
	if err != nil {
		return fmt.Errorf("quote for %q: %w", l.Question, err)
	}
	l.Support, l.Quoted = said.Support, []listQuoted{}
	for _, p := range said.Quoted(found) {
		l.Quoted = append(l.Quoted, listQuoted{Number: p.Number, Path: p.Path, Heading: p.Heading, Text: p.Text})
	}
	return nil
}

// WriteLists searches for every question and writes one List a line. progress is
// told after each.
func WriteLists(ctx context.Context, w io.Writer, questions []collection.NoteQuestion, s Searcher, progress func(done int)) error {
	return encodeLines(w, func(write func(any) error) error {
		for i := range questions {
			found, err := s.Search(ctx, questions[i].Text)
			if err != nil {
				return fmt.Errorf("search for %q: %w", questions[i].Text, err)
			}
			l := newList(&questions[i], found)
			if err := l.quote(ctx, found, s); err != nil {
				return err
			}
			if err := write(l); err != nil {
				return err
			}
			progress(i + 1)
		}
		return nil
	})
}

// Searcher finds passages for a question, best first, with paths relative to the
// notes.
type Searcher interface {
	Search(ctx context.Context, question string) ([]answer.Passage, error)
	// Quote quotes those of the passages from which an answer would be made, however
	// unlikely it is.
	Quote(ctx context.Context, question string, passages []answer.Passage) (answer.Answer, error)
}
