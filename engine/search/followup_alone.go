package search

import (
	"math"
	"strings"
	"unicode"

	"dowse/engine/lexical"
)

// standsAlone is the probability that a question can be understood without those before
// it: a logistic regression by how specific its words are, whether they point back, and
// whether it goes on. It was fitted to 290 follow-ups on the subject of their
// conversation, and 115 first questions that weigh as much together, and tells the two
// apart .929 of the time; by specific words alone .892, with the best cosine and the best
// BM25 score of the question in their place .940, which would take a search of its own.
func standsAlone(question string, specific float64) float64 {
	x := float64(2.4*specific) - 3
	words := plainWords(question)
	if pointsBack(words) {
		x -= 1.6
	}
	if goesOn(words) {
		x -= 3.9
	}
	return 1 / (1 + math.Exp(-x))
}

// specificity sums the IDF of terms that chunks hold, each by that of a term which one
// chunk holds: to how many rare words they amount. The first questions of conversations
// have 2.2 in the mean, follow-ups 1.1. Words that say nothing of a subject are left out
// by the caller: in an index of a few notes each of them would be rare.
func specificity(terms []lexical.TermStats, rarest float64) (sum float64) {
	for _, t := range terms {
		if t.DF > 0 && rarest > 0 {
			sum += min(1, t.IDF/rarest)
		}
	}
	return sum
}

// backward are English words for what was said before, goingOn those with which a
// question begins that goes on with another, idle those that say nothing of a subject. In
// other languages the specificity alone tells.
var (
	backward = wordList(`it its they them their theirs he him his she her hers that this those these there then
		one ones same other others another else both either neither instead again too also so here such`)
	goingOn = wordList("and so but or then also")
	idle    = wordList(`who what when where which why how whose whom did do does done had has have were am been
		a an are as at be by for if in into is no not of on or such the to was will with i
		can could would should may might must shall get got go gone come came me my we us our you your about from
		up out off over any some more most much many very just than now ever yet still back i'm don't didn't`)
)

func wordList(words string) map[string]bool {
	list := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		list[w] = true
	}
	return list
}

// plainWords cuts a question into words in small letters.
func plainWords(question string) []string {
	return strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_' })
}

// pointsBack reports whether a question holds a word for something said before.
func pointsBack(words []string) bool {
	for _, w := range words {
		if backward[w] {
			return true
		}
	}
	return false
}

// goesOn reports whether a question begins as one that goes on.
func goesOn(words []string) bool { return len(words) > 0 && goingOn[words[0]] }

// telling are the words of a question that may say what it is about.
func telling(question string) (words []string) {
	for _, w := range plainWords(question) {
		if !idle[w] && !backward[w] {
			words = append(words, w)
		}
	}
	return words
}

// norm is the length of a vector.
func norm(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	return math.Sqrt(sum)
}
