package answerbench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"dowse/engine/answer"
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
	Passages   []ListPassage `json:"passages"` // best first
}

// ListPassage is a passage of a List.
type ListPassage struct {
	Path    string      `json:"path"` // relative to the notes
	Heading string      `json:"heading"`
	Text    string      `json:"text"`
	Score   float64     `json:"score"`
	Pieces  []ListPiece `json:"pieces"` // in the order of the text
}

// ListPiece is a piece of a passage, as answer.Pieces cuts it. Offsets count code
// points, since most languages that models are trained in index strings by them.
type ListPiece struct {
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
func newList(q *NoteQuestion, found []answer.Passage) List {
	l := List{
		Question: q.Text, Kind: q.Kind, Path: q.Path, About: q.About, Quotes: append([]string{}, q.Quotes...), Short: q.Short,
		Answerable: q.Answerable, Passages: make([]ListPassage, len(found)),
	}
	for i, p := range found {
		l.Passages[i] = ListPassage{Path: p.Path, Heading: p.Heading, Text: p.Text, Score: p.Score, Pieces: listPieces(p.Text)}
	}
	return l
}

// listPieces cuts a text, with offsets in code points.
func listPieces(text string) []ListPiece {
	pieces := []ListPiece{}
	at, runes := 0, 0 // bytes and code points counted so far
	count := func(to int) int {
		runes += utf8.RuneCountInString(text[at:to])
		at = to
		return runes
	}
	for _, p := range answer.Pieces(text) {
		pieces = append(pieces, ListPiece{RuneStart: count(p.Start), RuneEnd: count(p.End), Kind: pieceKinds[p.Kind], Block: p.Block})
	}
	return pieces
}

// WriteLists searches for every question and writes one List a line. progress,
// when not nil, is told after each.
func WriteLists(ctx context.Context, w io.Writer, questions []NoteQuestion, s Searcher, progress func(done int)) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for i := range questions {
		found, err := s.Search(ctx, questions[i].Text)
		if err != nil {
			return fmt.Errorf("search for %q: %w", questions[i].Text, err)
		}
		if err := encoder.Encode(newList(&questions[i], found)); err != nil {
			return err
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	return out.Flush()
}

// Searcher finds passages for a question, best first, with paths relative to the
// notes.
type Searcher interface {
	Search(ctx context.Context, question string) ([]answer.Passage, error)
}
