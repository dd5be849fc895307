package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Bounds of what one search reads to look phrases up. Phrases of rare words
// have few candidates; for one of stop words every file is one. 1,874 notes of
// 1 KB are read in 0.2 to 0.4 s: 4,000 take less than a second, which is as long
// as anybody waits for a screen, and are all the notes that most people have.
// What is bounded is the work and not the time, so that equal searches have
// equal results.
const (
	verifyFiles = 4000
	verifyBytes = 64 << 20
)

// Phrases of punctuation alone, such as "=>", and patterns without a whole word narrow nothing
// down beforehand: the files that the other filters leave are read, those changed last first, up to the
// bounds. Nothing is shown of the files beyond, and Stats.Unread counts them.

// verification looks phrases up in the text of chunks, since postings hold no
// positions: chunks that hold every word of a phrase are found there, and
// their text is read to see whether the phrase stands in it. A verdict is on
// a chunk id; in a later commit it stands as long as the file does.
type verification struct {
	checks []check
	words  [][]string        // terms of words that no chunk may hold: the postings alone tell
	looked *lexical.Set      // chunks whose text was read
	in     lexical.Languages // in which terms and words are

	files, bytes int64 // that may still be read
}

// check is a phrase, or what is exact, that stands in passages, or in none.
type check struct {
	phrase  passage.Finder
	text    string     // of a phrase
	terms   [][]string // of the words of every chunk in which it stands
	without bool
	// byPostings says that the postings tell where it does not stand, and no text is read.
	byPostings bool
	holds      *lexical.Set // chunks of looked in which it stands
}

// newVerification returns nil where a query has neither phrases nor negations.
func (e *Engine) newVerification(q *engine.Query) *verification {
	if len(q.Phrases) == 0 && len(q.Without) == 0 && len(q.Exact) == 0 {
		return nil
	}
	v := &verification{looked: lexical.NewSet(0), files: e.verifyFiles, bytes: e.verifyBytes}
	for _, text := range q.Phrases {
		v.checks = append(v.checks, check{phrase: passage.NewPhrase(text), text: text, holds: lexical.NewSet(0)})
	}
	for _, text := range q.Without {
		v.checks = append(v.checks, check{phrase: passage.NewPhrase(text), text: text, without: true, holds: lexical.NewSet(0)})
	}
	for _, x := range q.Exact {
		v.checks = append(v.checks, check{phrase: passage.NewExact(x), without: x.Not, holds: lexical.NewSet(0)})
	}
	return v
}

// analyse finds the terms of phrases and words in the languages of an index.
func (v *verification) analyse(analyzer *lexical.Analyzer, in lexical.Languages) {
	if v.in == in {
		return
	}
	v.in, v.words = in, nil
	for i := range v.checks {
		c := &v.checks[i]
		if x, is := c.phrase.(passage.Exact); is {
			c.terms = x.SureTerms(analyzer, in)
			continue
		}
		var single bool
		c.terms, single = passage.SureTerms(analyzer, c.text, in)
		// A single indexed word is answered by the postings, in all its forms.
		if c.byPostings = c.without && single; c.byPostings {
			v.words = append(v.words, c.terms[0])
		}
	}
}

// follow forgets the verdicts on chunks that belong to another version of a file,
// or to none, in a later commit.
func (v *verification) follow(before, after *snapshot.Snapshot) {
	v.looked.Each(func(chunk uint32) bool {
		old, _, _ := before.Place(chunk)
		now, _, live := after.Place(chunk)
		if old == nil || !live || old.ID != now.ID {
			v.looked.Remove(chunk)
			for i := range v.checks {
				v.checks[i].holds.Remove(chunk)
			}
		}
		return true
	})
}

// judged is the verdict on the chunks of one commit.
type judged struct {
	allow  *lexical.Set
	unread []uint32 // chunks to read first, by file
	missed int      // files that were not read because a bound was reached
}

// judge narrows chunks down to those that pass. Chunks whose text would have to be read and was not
// are left out, so that every passage shown passes.
func (v *verification) judge(ctx context.Context, tx *store.Tx, snap *snapshot.Snapshot, allow *lexical.Set) (judged, error) {
	containing := func(words [][]string) (*lexical.Set, error) {
		return snap.Collection.Containing(ctx, tx.Postings(), words)
	}
	allow = allow.Clone()
	for _, terms := range v.words {
		with, err := containing([][]string{terms})
		if err != nil {
			return judged{}, err
		}
		allow.AndNot(with)
	}
	wanted := false
	candidates := make([]*lexical.Set, len(v.checks)) // of chunks that may hold the phrase
	for i, c := range v.checks {
		if c.byPostings {
			continue
		}
		candidates[i] = snap.Live
		if len(c.terms) > 0 {
			var err error
			if candidates[i], err = containing(c.terms); err != nil {
				return judged{}, err
			}
		}
		if !c.without {
			wanted = true
			allow.And(candidates[i])
		}
	}
	need := allow.Clone() // every chunk in which a wanted phrase may stand, or else an unwanted one
	if !wanted {
		need = lexical.NewSet(snap.Size)
		for _, set := range candidates {
			if set != nil {
				need.Or(set)
			}
		}
		need.And(allow)
	}
	need.AndNot(v.looked)
	out := judged{allow: allow}
	if out.unread, out.missed = v.chooseUnread(snap, need); len(out.unread) > 0 {
		return out, nil
	}
	allow.AndNot(need)
	for i, c := range v.checks {
		if c.byPostings {
			continue
		}
		if !c.without {
			allow.And(c.holds)
			continue
		}
		with := candidates[i].Clone()
		with.And(c.holds)
		allow.AndNot(with)
	}
	return out, nil
}

// chooseUnread chooses the chunks to read next, of the files changed last first, as far as the
// bounds go. It returns how many files they leave out.
func (v *verification) chooseUnread(snap *snapshot.Snapshot, need *lexical.Set) (chunks []uint32, missed int) {
	type wanted struct {
		file   *store.File
		chunks []uint32
	}
	var files []*wanted
	known := map[*store.File]*wanted{}
	need.Each(func(chunk uint32) bool {
		f, _, ok := snap.Place(chunk)
		if !ok {
			return true
		}
		if known[f] == nil {
			known[f] = &wanted{file: f}
			files = append(files, known[f])
		}
		known[f].chunks = append(known[f].chunks, chunk)
		return true
	})
	slices.SortFunc(files, func(a, b *wanted) int {
		return cmp.Or(cmp.Compare(b.file.Time(), a.file.Time()), cmp.Compare(a.file.ID, b.file.ID))
	})
	for _, w := range files {
		size := max(w.file.Size, w.file.TextBytes)
		if v.files == 0 || v.bytes < size {
			missed++
			continue
		}
		v.files, v.bytes = v.files-1, v.bytes-size
		chunks = append(chunks, w.chunks...)
	}
	return chunks, missed
}

// read looks at the text of chunks. A chunk whose file is gone holds nothing.
func (v *verification) read(ctx context.Context, reader *passage.Reader, chunks []uint32) error {
	for _, chunk := range chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, _, err := reader.Chunk(chunk)
		if err != nil {
			return err
		}
		v.looked.Add(chunk)
		for i := range v.checks {
			if c := &v.checks[i]; text != nil && !c.byPostings && len(c.phrase.Find(text.Body)) > 0 {
				c.holds.Add(chunk)
			}
		}
	}
	return nil
}

// missedText says what files that were not read mean.
func missedText(missed int) string {
	files := "files were"
	if missed == 1 {
		files = "file was"
	}
	return fmt.Sprintf("a phrase, a minus, = or grep: is looked up in the text of files, and %d %s not read because that would take too long, those changed longest ago; nothing of them is shown; add a whole word, or narrow the search down by path:, ext: or after:", missed, files)
}
