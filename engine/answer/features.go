package answer

import (
	"cmp"
	"slices"
)

// Templates of features. Appending is safe; any other change needs new
// weights.
const (
	sentenceCoverage = iota + 1
	sentencePassage
	sentenceRank
	sentenceRelative
	sentenceNearby
	sentencePlace
	sentencePairs
	sentenceHeading
	sentenceKind
	sentenceNames
	sentenceHolds
	sentenceFocus
	sentenceLength
	sentenceCue
	spanForm
	spanFocusForm
	spanLength
	spanLeft
	spanRight
	spanLeftAsked
	spanRightAsked
	spanFirst
	spanLast
	spanAsked
	spanDistance
	spanWindow
	spanNameCut
	spanFocusNear
	spanLeftPlace
	spanRightPlace
	spanInside
	spanEdge
	spanFormNear
	spanLeftTwo
	spanRightTwo
	spanFocusLast
	spanRarity
	spanClause
	sentenceRarest
	spanNamed
	spanGiven
	spanLeftTerm
	spanRightTerm
)

// bucket cuts a share into tenths.
func bucket(share float64) int { return int(min(share, 1)*10 + 1e-9) }

// sentenceFeatures describes a part as the place of an answer.
func (r *reading) sentenceFeatures(dst []uint16, p *part) []uint16 {
	asks := int(r.q.kind)
	h := r.held[p.passage]
	relative := 0
	if r.topCoverage > 0 {
		relative = bucket(p.coverage / r.topCoverage)
	}
	dst = append(dst,
		feature(sentenceCoverage, bucket(p.coverage), min(len(r.q.terms), 8), 0),
		feature(sentenceCoverage, bucket(p.coverage), 0, 1),
		feature(sentencePassage, bucket(h.coverage), min(h.rank, 4), 0),
		feature(sentencePassage, min(h.rank, 4), 0, 1),
		feature(sentenceRank, min(p.rank, 9), 0, 0),
		feature(sentenceRelative, relative, 0, 0),
		feature(sentenceNearby, bucket(p.nearby), bucket(p.coverage)/2, 0),
		feature(sentencePlace, min(p.passage, 4), 0, 0),
		feature(sentencePlace, min(p.index, 6), 1, 0),
		feature(sentencePairs, min(p.pairs, 6), 0, 0),
		feature(sentenceHeading, bucket(h.heading), bucket(p.coverage)/3, 0),
		feature(sentenceKind, int(p.Kind), asks, 0),
		feature(sentenceNames, r.missingNames(p.names), r.missingNames(h.names), 0),
		feature(sentenceRarest, p.rarest, h.rarest, 0),
		feature(sentenceRarest, p.rarest, 0, 1),
		feature(sentenceLength, min(len(p.tokens)/5, 12), 0, 0),
	)
	for _, holds := range p.contents() {
		dst = append(dst, feature(sentenceHolds, holds, asks, 0))
		if r.q.focus != "" {
			dst = append(dst, feature(sentenceHolds, holds, stringValue(r.q.focus), 1))
		}
	}
	return r.cueFeatures(dst, p)
}

// cueFeatures tells which function words that go with kinds of questions a
// part has: because, by, called.
func (r *reading) cueFeatures(dst []uint16, p *part) []uint16 {
	focus := 0
	for i := range p.tokens {
		if r.q.focus != "" && p.tokens[i].term == r.q.focus {
			focus = 1
		}
		if c := p.tokens[i].class; c >= firstWordClass {
			f := feature(sentenceCue, int(c), int(r.q.kind), 0)
			if !slices.Contains(dst, f) {
				dst = append(dst, f)
			}
		}
	}
	return append(dst, feature(sentenceFocus, focus, int(r.q.kind), 0))
}

// missingNames is how many names of the question are not among those held, 3
// for more.
func (r *reading) missingNames(held int) int {
	n := 0
	for i := range r.q.terms {
		if r.q.terms[i].name {
			n++
		}
	}
	return min(n-held, 3)
}

// contents lists the forms of tokens in a part that are not the question's.
func (p *part) contents() []int {
	var seen [firstWordClass]bool
	var list []int
	for i := range p.tokens {
		c := p.tokens[i].class
		if c < firstWordClass && p.tokens[i].match == 0 && !seen[c] && c < classAdverb {
			seen[c] = true
			list = append(list, int(c))
		}
	}
	return list
}

// stringValue makes a value of a feature of a word.
func stringValue(word string) int {
	h := uint32(2166136261) // FNV-1a
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return int(h & 0xffff)
}

// Forms of runs of words.
const (
	formOther = iota
	formYear
	formDate
	formNumber
	formNumberOf // a number and what it counts
	formPercent
	formMoney
	formName
	formNameMixed
	formAcronym
	formLower
	formLowerPhrase
	formClause
)

// form is what a run of tokens looks like.
func form(run []token) int {
	var numbers, names, lower, own, year, month int
	for i := range run {
		switch c := run[i].class; {
		case c == classPercent:
			return formPercent
		case c == classMoney:
			return formMoney
		case c == classMonth:
			month++
		case c == classYear || c == classDecade || c == classSpan:
			year++
		case c.isNumeric() || c == classNumberWord || c == classMagnitude:
			numbers++
		case c.isName() || c == classFirst || c == classMixed:
			names++
		case c.isOwn():
			own++
		default:
			lower++
		}
	}
	switch n := len(run); {
	case month > 0:
		return formDate
	case year > 0:
		return cond(year == n, formYear, formDate)
	case numbers > 0:
		return cond(numbers == n, formNumber, formNumberOf)
	case names == n && n == 1 && run[0].class == classAcronym:
		return formAcronym
	case names > 0:
		return cond(lower == 0, formName, formNameMixed)
	case own > 1 || n > 4:
		return formClause
	case n == 1:
		return formLower
	case lower > 0:
		return formLowerPhrase
	}
	return formOther
}

func cond(is bool, yes, no int) int {
	if is {
		return yes
	}
	return no
}

// sortStable sorts by descending score.
func sortStable(order []int, score func(int) float64) {
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
}
