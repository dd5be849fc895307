package draft

// trail is the place in the text that an answer follows. A draft that was
// rejected because the model put one word for another, left some out or put one
// in goes on from there, where no suffix matches yet. Other than the runs of
// Reuse it needs no predictions below the rejected token.
type trail struct {
	at   int32 // of the last token that was taken from there, -1 for none
	left int32 // how many tokens came since
}

const (
	mostLeft    = 6 // tokens after which a trail is cold
	mostSkipped = 4 // tokens of the text that may be left out
	trailMatch  = 2 // tokens in a row that make a new trail
)

// after is the trail after one more token; m is the longest match that ends with
// it.
func (t trail) after(a *Automaton, m Match, token int32) trail {
	if t.at >= 0 && t.left <= mostLeft {
		following := a.text[min(int(t.at)+1, len(a.text)):]
		for skipped, next := range following[:min(mostSkipped, len(following))] {
			if next == token {
				return trail{at: t.at + 1 + int32(skipped)}
			}
		}
	}
	if m.Length >= trailMatch {
		return trail{at: int32(a.First(m)) - 1}
	}
	if t.at >= 0 {
		t.left++
	}
	return t
}
