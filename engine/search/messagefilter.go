package search

import (
	"maps"
	"math"
	"slices"

	"dowse/engine/lexical"
	"dowse/store"
)

// A mailbox holds what many people wrote at many times. So its messages are asked by whom and
// when, and not the file: of it pass the chunks of those messages for which all filters hold. A
// chunk that holds several short messages passes with one of them.

// readMessages reads those of all files where a filter asks for what they say.
func (f *fileFilter) readMessages(tx *store.Tx) error {
	f.messages = nil
	dated := f.after != math.MinInt64 || f.before != math.MaxInt64
	if !dated && !slices.ContainsFunc(f.facts, func(fact factFilter) bool { return fact.Key != "type" }) {
		return nil
	}
	return tx.EachMessages(func(file uint32, messages []store.Message) error {
		if f.messages == nil {
			f.messages = map[uint32][]store.Message{}
		}
		f.messages[file] = messages
		return nil
	})
}

// allow adds to a set the chunks of a file that pass, and returns how many.
func (f *fileFilter) allow(set *lexical.Set, file *store.File) (chunks int, passes bool) {
	messages := f.messages[file.ID]
	if len(messages) == 0 {
		if !f.admits(*file) {
			return 0, false
		}
		for _, run := range file.IDs {
			set.AddRange(run.First, run.N)
		}
		return int(file.Chunks), true
	}
	if !f.admitsPath(*file) || slices.ContainsFunc(f.facts, func(fact factFilter) bool { return fact.Key == "type" && !fact.admits(file) }) {
		return 0, false
	}
	ids := make([]uint32, 0, file.Chunks)
	for _, id := range file.IDs.All() {
		ids = append(ids, id)
	}
	next := 0 // chunks before it are decided
	for i := range messages {
		m := &messages[i]
		if !f.admitsMessage(file, m) {
			continue
		}
		for next = max(next, m.First); next <= m.Last && next < len(ids); next++ {
			set.Add(ids[next])
			chunks++
		}
	}
	return chunks, chunks > 0
}

// admitsMessage reports whether a message passes. One that does not say when it was written is as
// old as its file.
func (f *fileFilter) admitsMessage(file *store.File, m *store.Message) bool {
	dated := *file
	if m.Date != 0 {
		dated.Date = m.Date
	}
	return f.admitsTime(dated.Time()) && !slices.ContainsFunc(f.facts, func(fact factFilter) bool { return !fact.admitsMessage(m) })
}

// admitsMessage reports whether a message passes. Of what type it is, its file says.
func (f *factFilter) admitsMessage(m *store.Message) bool {
	has := false
	switch f.Key {
	case "title":
		has = f.contains(m.Title)
	case "from":
		has = slices.ContainsFunc(m.Authors, f.contains)
	case "to":
		has = slices.ContainsFunc(m.To, f.contains)
	case "tag":
		has = slices.ContainsFunc(m.Tags, f.isTagged)
	default:
		return true
	}
	return has != f.Not
}

// addFiles has files with messages looked at, whatever they say as a whole.
func (f *factFilter) addFiles(messages map[uint32][]store.Message) {
	if f.Key == "type" || len(messages) == 0 {
		return
	}
	f.files = slices.AppendSeq(f.files, maps.Keys(messages))
	slices.Sort(f.files)
	f.files = slices.Compact(f.files)
}
