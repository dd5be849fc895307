package search

import "dowse/engine"

// claimLess rewords an answer that denies what was found: where a passage is relevant, it
// names the best one, which may not answer, in the place of "nothing on this". An answer
// above a quotation of the nearest stays as it is. Where the ranking does not tell what is
// relevant, it must not be called: any query finds something.
func claimLess(a *engine.Answer, passages []engine.Passage) {
	if !a.Declined && a.Confidence != engine.None || a.Quotation != nil || a.Text == "" || !engine.AnyRelevant(passages) {
		return
	}
	best := passages[0]
	a.Text = engine.NearText(best.Rank)
	a.Citations = []engine.AnswerCitation{{N: best.Rank, Path: best.Path, LineStart: best.LineStart, LineEnd: best.LineEnd, Where: best.Where}}
	a.Short, a.Highlights, a.Sentences, a.Drafted = "", nil, nil, nil
}
