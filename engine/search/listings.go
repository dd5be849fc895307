package search

import (
	"context"
	"math"
	"strings"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
	"dowse/internal/fold"
	"dowse/store"
)

// Contents and indexes hold the title of every note, in fewer words than the note. They rank below
// what they point to, unless the query asks for such a list.
const (
	listingsFused = 20 // candidates that come before a listing where both lists are fused
	listingsRead  = 3  // and in the end, where they are on the topic
)

// asksForList reports whether a query asks for contents or an index, not for how to list something.
func asksForList(text string) bool {
	words := strings.FieldsFunc(fold.String(text), func(r rune) bool { return !lexical.IsWord(r) })
	for i, word := range words {
		switch word {
		case "readme", "toc", "moc", "contents":
			return true
		case "list", "index", "overview":
			if i+1 < len(words) && words[i+1] == "of" {
				return true
			}
		}
	}
	return false
}

// findListings notes which chunks are contents or an index, unless these are asked for. A search
// by meaning alone reads no postings.
func (l *retrieval) findListings(ctx context.Context, txs []*store.Tx) error {
	l.listings, l.lowers = nil, false
	if l.mode == engine.Vector || asksForList(l.q.Text()) {
		return nil
	}
	l.lowers = true
	for i, p := range l.indexes {
		found, err := p.commit.Snap.Collection.Containing(ctx, txs[i].Postings(), [][]string{{lexical.ListingTerm}})
		if err != nil {
			return err
		}
		l.listings = append(l.listings, found)
	}
	return nil
}

// isListing reports whether a candidate is of contents or an index.
func (l *retrieval) isListing(c *candidate) bool {
	n, chunk := 0, c.chunk
	if l.several() {
		n, chunk = snapshot.SplitID(c.chunk)
	}
	if n >= len(l.indexes) {
		return l.machines[n-len(l.indexes)].ranked.Chunks[chunk].Listing
	}
	return n < len(l.listings) && l.listings[n].Has(chunk)
}

// lowerListings puts contents and indexes behind the best of the others, as many of them as are on
// the topic and share a word with the query, up to a number. Their scores are then at most that of the one before.
func (l *retrieval) lowerListings(ranked []candidate, behind int) []candidate {
	if !l.lowers {
		return ranked
	}
	// What has no word of the query may be on the topic, but a listing with some says more.
	counts := func(c *candidate) bool { return !c.offTopic && c.lexicalRank > 0 && !l.isListing(c) }
	others := 0
	for i := range ranked {
		if counts(&ranked[i]) {
			others++
		}
	}
	behind = min(behind, others)
	out, held := make([]candidate, 0, len(ranked)), []candidate(nil)
	release := func() {
		for _, c := range held {
			if n := len(out); n > 0 {
				c.score = math.Min(c.score, out[n-1].score)
			}
			out = append(out, c)
		}
		held = nil
	}
	for _, c := range ranked {
		if behind > 0 && l.isListing(&c) {
			held = append(held, c)
			continue
		}
		out = append(out, c)
		if behind > 0 && counts(&c) {
			if behind--; behind == 0 {
				release()
			}
		}
	}
	release()
	return out
}
