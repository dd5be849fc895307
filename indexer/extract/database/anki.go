package database

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// card is a note of Anki's, from which it makes one card or several.
type card struct {
	id    int64 // and when it was made, in milliseconds since 1970
	model int64
	deck  string
	tags  []string
	cells string // apart by unitSeparator
}

// unitSeparator stands between fields, and in the newer form between a deck and those within it.
const unitSeparator = "\x1f"

// readAnki reads a collection: deck after deck, a row a note, with the names of its fields.
func readAnki(ctx context.Context, db *database, w *writer) error {
	fields, decks, err := ankiNames(db)
	if err != nil {
		return err
	}
	cards, err := ankiCards(db, decks)
	if err != nil {
		return err
	}
	deck := ""
	for i := range cards {
		c := &cards[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.Full() {
			return nil
		}
		cells := strings.Split(c.cells, unitSeparator)
		for k := range cells {
			cells[k] = line(ankiMarks(cells[k]))
		}
		within := document.Part{Unit: document.Deck, Name: c.deck}
		w.Entry(document.Meta{Title: cells[0], Tags: c.tags, Date: seconds(c.id / 1000)})
		if c.deck != deck || i == 0 {
			deck = c.deck
			w.EndRows()
			w.Place(within)
			w.Heading(1, deck)
		}
		w.Place(within, document.Part{Unit: document.Card, Number: i + 1})
		w.Row(fields[c.model], cells)
	}
	return nil
}

// ankiNames returns the fields of each kind of note and the decks: of the older form as JSON, of the newer one as tables.
func ankiNames(db *database) (fields map[int64][]string, decks map[int64]string, err error) {
	if db.has([]string{"notetypes", "fields", "decks"}) {
		if fields, err = db.lists(`SELECT ntid, name FROM fields ORDER BY ntid, ord`); err != nil {
			return nil, nil, err
		}
		decks, err = db.names(`SELECT id, name FROM decks`)
		return fields, decks, err
	}
	var kinds map[string]struct {
		Fields []struct{ Name string } `json:"flds"`
	}
	var named map[string]struct{ Name string }
	var wrong error
	err = db.each(`SELECT models, decks FROM col`, func(r row) {
		wrong = cmp.Or(wrong, json.Unmarshal([]byte(r.text(0)), &kinds), json.Unmarshal([]byte(r.text(1)), &named))
	})
	if err = cmp.Or(err, wrong); err != nil {
		return nil, nil, fmt.Errorf("its kinds of notes: %w", err)
	}
	fields, decks = map[int64][]string{}, map[int64]string{}
	for id, k := range kinds {
		n, _ := strconv.ParseInt(id, 10, 64)
		for _, f := range k.Fields {
			fields[n] = append(fields[n], f.Name)
		}
	}
	for id, d := range named {
		n, _ := strconv.ParseInt(id, 10, 64)
		decks[n] = d.Name
	}
	return fields, decks, nil
}

// ankiCards returns the notes by deck, in each as they were made. A note lies in the deck of its first card; one that
// is borrowed for an exam in the one that it comes from.
func ankiCards(db *database, decks map[int64]string) (cards []card, err error) {
	in := map[int64]int64{}
	err = db.each(`SELECT nid, CASE WHEN odid <> 0 THEN odid ELSE did END FROM cards`, func(r row) {
		if _, known := in[r.int(0)]; !known {
			in[r.int(0)] = r.int(1)
		}
	})
	if err != nil {
		return nil, err
	}
	size := 0
	err = db.each(`SELECT id, mid, tags, flds FROM notes ORDER BY id`, func(r row) {
		if size += len(r.ColumnRawText(3)); size > document.DefaultLimits.Text {
			_ = db.in.Meet("16 MiB of cards")
			return
		}
		deck := strings.ReplaceAll(decks[in[r.int(0)]], unitSeparator, "::")
		cards = append(cards, card{id: r.int(0), model: r.int(1), deck: deck, tags: strings.Fields(r.text(2)), cells: r.text(3)})
	})
	slices.SortStableFunc(cards, func(a, b card) int { return cmp.Compare(a.deck, b.deck) })
	return cards, err
}

var (
	cloze = pattern.New(`\{\{c\d+::(.*?)(?:::.*?)?\}\}`)
	sound = pattern.New(`\[(?:sound|anki):[^\]]*\]`)
)

// ankiMarks returns a field without the marks of Anki's own: what a cloze hides is shown.
func ankiMarks(text string) string {
	return cloze.ReplaceAllString(sound.ReplaceAllString(text, ""), "$1")
}
