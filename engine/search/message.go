package search

import (
	"sort"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/store"
)

// A file of many messages says of itself who wrote any of them, which says nothing of a
// passage. So what stands at the head of the passage's own message is read where its text
// is read: the subject, and a row of who wrote it to whom and when.

// headBytes is how far into a message its head is looked for.
const headBytes = 8 << 10

// headDate is how a date is written in the row.
const headDate = "Mon 2 Jan 2006 15:04"

// messageOf returns the number of the message of a file of many that a place is in; 0
// where it is in none.
func messageOf(where engine.Where) int {
	if where.Locator == nil || len(where.Locator.Parts) == 0 || where.Locator.Parts[0].Unit != "message" {
		return 0
	}
	return where.Locator.Parts[0].Number
}

// ownMessage returns what the message says of itself that a byte of a text is in, which is
// somewhere in; nil where it is in none.
func ownMessage(text *engine.Text, where engine.Where, at int) *engine.About {
	number := messageOf(where)
	if number == 0 {
		return nil
	}
	start := sort.Search(at, func(offset int) bool { // messages ascend
		marks := text.Places(offset, offset)
		return len(marks) > 0 && messageOf(engine.Where{Locator: &marks[0].Locator}) >= number
	})
	about := headOf(text.Body[start:min(start+headBytes, len(text.Body))])
	about.Title = where.Locator.Parts[0].Name
	return &about
}

// headOf reads the row that stands below the subject of a message.
func headOf(message string) (about engine.About) {
	lines := 0
	for line := range strings.Lines(message) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		cells := rowCells(strings.Clone(line)) // it outlives the text
		if len(cells) > 0 || lines > 0 {
			about.Authors, about.To = people(cells["From"]), append(people(cells["To"]), people(cells["Cc"])...)
			about.Date, _ = time.ParseInLocation(headDate, cells["Date"], time.Local)
			break
		}
		lines++
	}
	return about
}

// headCells are the columns of the row, in their order.
var headCells = []string{"From", "To", "Cc", "Date"}

// rowCells divides the row into its cells by the names of their columns; none where it is
// no such row.
func rowCells(line string) map[string]string {
	cells := map[string]string{}
	for i := len(headCells) - 1; i >= 0; i-- {
		name := headCells[i] + ": "
		at := strings.LastIndex(line, "; "+name)
		switch {
		case strings.HasPrefix(line, name) && at < 0:
			cells[headCells[i]] = line[len(name):]
			return cells
		case at >= 0:
			cells[headCells[i]] = line[at+2+len(name):]
			line = line[:at]
		}
	}
	return nil // it begins with something else
}

// people divides a list of addresses. A comma in a name divides nothing.
func people(list string) (all []string) {
	begin := 0
	for i := 0; ; {
		next := strings.Index(list[i:], ", ")
		if next < 0 {
			break
		}
		i += next
		if engine.AddressOf(list[begin:i]) != "" {
			all = append(all, list[begin:i])
			begin = i + 2
		}
		i += 2
	}
	if begin < len(list) {
		all = append(all, list[begin:])
	}
	return all
}

// aboutOf returns what the document of a file says of itself. A file of many messages says
// nothing of those.
func aboutOf(tx *store.Tx, file *store.File) (engine.About, error) {
	facts, err := tx.Facts(file.ID)
	if err != nil {
		return engine.About{}, err
	}
	about := engine.About{Title: facts.Title, Authors: facts.Authors, To: facts.To, Tags: facts.Tags, Format: facts.Format}
	if about.Format == "" && int(file.Kind) < len(layout.Kinds) {
		about.Format = layout.Kinds[file.Kind]
	}
	if file.Date != 0 {
		about.Date = time.Unix(file.Date, 0)
		if day := about.Date.UTC(); day.Equal(day.Truncate(24 * time.Hour)) {
			about.Date = day // a day without a time of day, which is the same day everywhere
		}
	}
	return about, nil
}
