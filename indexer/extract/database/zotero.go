package database

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
)

// reference is an item of a library, with what hangs on it.
type reference struct {
	id     int64
	fields map[string]string // by Zotero's names: title, abstractNote, date, publicationTitle, ...
	people []string
	tags   []string
	notes  []string // pages
	marks  []mark
}

// mark is what somebody marked in a document.
type mark struct{ text, comment, page string }

// readZotero reads a library: items with their fields, notes and annotations. What is in the bin is left out.
func readZotero(ctx context.Context, db *database, w *writer) error {
	items, err := zoteroItems(db)
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.Full() {
			return nil
		}
		w.reference(it)
	}
	return nil
}

// reference writes an item.
func (w *writer) reference(it *reference) {
	f := it.fields
	title := f["title"]
	if title == "" && len(it.notes) > 0 {
		title = firstOf(line(it.notes[0]))
	}
	if title == "" && len(it.marks) == 0 {
		return
	}
	w.EndRows()
	w.begin(document.Meta{Title: title, Authors: it.people, Tags: it.tags, Date: zoteroTime(f["date"])}, document.Part{Unit: document.Record, Name: title})
	w.Heading(1, title)
	w.Row([]string{"By", "In", "Date", "DOI"}, []string{
		strings.Join(it.people, ", "), cmp.Or(f["publicationTitle"], f["bookTitle"], f["proceedingsTitle"], f["publisher"], f["websiteTitle"]), zoteroDate(f["date"]), f["DOI"],
	})
	w.EndRows()
	w.page(f["abstractNote"])
	w.page(f["extra"])
	for _, note := range it.notes {
		w.page(note)
	}
	for _, m := range it.marks {
		text := line(m.text)
		if m.page != "" && text+m.comment != "" {
			text += " (page " + m.page + ")"
		}
		w.Paragraph(text)
		w.page(m.comment)
	}
}

// zoteroItems reads the items that stand for themselves, in the order in which they were added.
func zoteroItems(db *database) (items []*reference, err error) {
	parents, byID := map[int64]int64{}, map[int64]*reference{}
	top := func(id int64) *reference { // of a note or a mark, the item that it hangs on
		for range 3 { // mark, attachment, item
			p := parents[id]
			if p == 0 {
				break
			}
			id = p
		}
		return byID[id]
	}
	for _, table := range []string{"itemNotes", "itemAttachments", "itemAnnotations"} {
		if !db.tables[table] {
			continue
		}
		if err := db.each(`SELECT itemID, parentItemID FROM `+table, func(r row) { parents[r.int(0)] = r.int(1) }); err != nil {
			return nil, err
		}
	}
	gone := map[int64]string{}
	if db.tables["deletedItems"] {
		if gone, err = db.names(`SELECT itemID, 'gone' FROM deletedItems`); err != nil {
			return nil, err
		}
	}
	err = db.each(`SELECT itemID FROM items ORDER BY itemID`, func(r row) {
		if id := r.int(0); parents[id] == 0 && gone[id] == "" {
			byID[id] = &reference{id: id, fields: map[string]string{}}
			items = append(items, byID[id])
		}
	})
	if err != nil {
		return nil, err
	}
	return items, zoteroRest(db, top, func(id int64) bool { return gone[id] != "" })
}

// zoteroRest reads what belongs to the items.
func zoteroRest(db *database, of func(id int64) *reference, gone func(id int64) bool) error {
	return cmp.Or(
		db.each(`SELECT d.itemID, f.fieldName, v.value FROM itemData d JOIN fields f USING (fieldID) JOIN itemDataValues v USING (valueID)`, func(r row) {
			if it := of(r.int(0)); it != nil && it.id == r.int(0) {
				it.fields[r.text(1)] = r.text(2)
			}
		}),
		db.each(`SELECT i.itemID, c.firstName, c.lastName FROM itemCreators i JOIN creators c USING (creatorID) ORDER BY i.itemID, i.orderIndex`, func(r row) {
			if it := of(r.int(0)); it != nil {
				it.people = append(it.people, strings.TrimSpace(r.text(1)+" "+r.text(2)))
			}
		}),
		db.each(`SELECT i.itemID, t.name FROM itemTags i JOIN tags t USING (tagID) ORDER BY i.itemID, t.name`, func(r row) {
			if it := of(r.int(0)); it != nil && !slices.Contains(it.tags, r.text(1)) {
				it.tags = append(it.tags, r.text(1))
			}
		}),
		db.each(`SELECT itemID, note FROM itemNotes ORDER BY itemID`, func(r row) {
			if it := of(r.int(0)); it != nil && !gone(r.int(0)) {
				it.notes = append(it.notes, r.text(1))
			}
		}),
		db.eachIf("itemAnnotations", `SELECT itemID, text, comment, pageLabel FROM itemAnnotations ORDER BY parentItemID, sortIndex`, func(r row) {
			if it := of(r.int(0)); it != nil && !gone(r.int(0)) {
				it.marks = append(it.marks, mark{r.text(1), r.text(2), r.text(3)})
			}
		}),
	)
}

// eachIf is each where a table is there: it came with a later version.
func (db *database) eachIf(table, query string, f func(r row)) error {
	if !db.tables[table] {
		return nil
	}
	return db.each(query, f)
}

// zoteroReading is how long Zotero's own reading of a date is, which stands before what was typed: "2019-05-00 May 2019".
const zoteroReading = len("2019-05-00")

// zoteroDate returns a date as a person typed it.
func zoteroDate(date string) string {
	if len(date) > zoteroReading && date[4] == '-' && date[7] == '-' && date[zoteroReading] == ' ' {
		return strings.TrimSpace(date[zoteroReading:])
	}
	return date
}

// zoteroTime returns a date as Zotero reads it: of a month or a year its first day.
func zoteroTime(date string) time.Time {
	if len(date) < zoteroReading {
		return dates.Parse(date)
	}
	return dates.Parse(strings.ReplaceAll(date[:zoteroReading], "-00", "-01"))
}

// firstOf returns the beginning of a line as a title.
func firstOf(text string) string {
	const most = 80
	if r := []rune(text); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return text
}
