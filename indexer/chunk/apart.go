package chunk

import (
	"slices"
	"sort"

	"dowse/indexer/document"
)

// setApart marks the atoms at which another document begins than the one before: a
// message of a mailbox, a member of an archive. Short ones are not put together, because
// a passage is named after the place where it begins.
func (o *outline) setApart(doc *document.Document) {
	var last []document.Part
	for _, place := range doc.Places {
		own := ownParts(place.Parts)
		if slices.Equal(own, last) {
			continue
		}
		last = own
		at := sort.Search(len(o.atoms), func(i int) bool { return o.atoms[i].start >= place.Offset })
		if at > 0 && at < len(o.atoms) && !o.atoms[at].apart {
			o.atoms[at].apart = true
			o.aparts = append(o.aparts, at)
		}
	}
}

// ownParts returns the way to the innermost document: the parts up to the last that is one.
func ownParts(parts []document.Part) []document.Part {
	for n := len(parts); n > 0; n-- {
		switch parts[n-1].Unit {
		case document.Message, document.Member:
			return parts[:n]
		}
	}
	return nil
}

// together returns the first atom behind first, up to last, that is of another document.
func (o *outline) together(first, last int) int {
	i := sort.SearchInts(o.aparts, first+1)
	if i < len(o.aparts) {
		return min(o.aparts[i], last)
	}
	return last
}
