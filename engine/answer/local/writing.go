package local

import (
	"context"
	"slices"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
)

// writing is an answer in the making.
type writing struct {
	job      engine.AnswerJob
	question string
	passages []answer.Passage // marked by the reader; for a trained model cut to the quotation
	quoted   *answer.Answer   // nil where the reader failed
	verifier *answer.Verifier // of a trained model
	judge    *answer.Judge    // of a model that reads the passages itself
	observe  func(engine.Answer)
}

// writing begins an answer by quoting.
func (a *Answerer) writing(ctx context.Context, job engine.AnswerJob) (*writing, error) {
	passages, _ := answer.WithoutInjections(answer.ByRank(job.Passages))
	w := &writing{job: job, question: job.InFull(), passages: passages, observe: job.Observe}
	asked := answer.AskedIn(&job)
	quoted, err := a.extract.Read(ctx, asked, w.passages)
	if err != nil { // the reader failed
		return w, ctx.Err()
	}
	w.quoted = &quoted
	if w.verifier, w.judge = a.writer.judgement(ctx, asked); w.judge == nil {
		w.passages = quoted.Quoted(w.passages)
	}
	return w, nil
}

// cannotAnswer reports whether no model could answer.
func (w *writing) cannotAnswer() bool {
	switch {
	case w.quoted == nil:
		return false
	case w.judge != nil && len(w.passages) > 0:
		return false
	case w.verifier == nil || len(w.passages) == 0:
		return w.quoted.Confidence == answer.None
	}
	return w.verifier.Hopeless(w.quoted.Support)
}

// declined is the declined quotation.
func (w *writing) declined() answer.Answer {
	quoted := *w.quoted
	quoted.Confidence = answer.None
	return quoted
}

// refusal is how the model may decline: as trained, or for a quotation from the
// verifier's threshold on.
func (w *writing) refusal(trained *generate.Refusal) *generate.Refusal {
	if trained == nil || w.quoted == nil || w.verifier == nil {
		return trained
	}
	return &generate.Refusal{Token: trained.Token, From: w.verifier.DeclineFrom(w.quoted.Support)}
}

// show shows a growing answer below its quotation. An unsure quotation waits
// for the verifier.
func (w *writing) show(grown engine.Answer) {
	if w.observe == nil {
		return
	}
	if w.quoted != nil && w.quoted.Confidence != answer.None {
		grown.Quotation = answer.Shown(*w.quoted, engine.Extracted)
	}
	if grown.Quotation != nil || grown.Text != "" || grown.Note != "" || grown.Reading != nil {
		w.observe(grown)
	}
}

// verified grades the quotation by the model's probability of declining.
func (w *writing) verified(declining float64) answer.Answer {
	quoted := *w.quoted
	if w.verifier != nil {
		quoted.Support, quoted.Confidence = w.verifier.Verify(quoted.Support, declining)
	}
	if quoted.Confidence == answer.None {
		return w.declined()
	}
	return quoted
}

// rested is what a trained model wrote from the quotation, with its confidence
// and places. The quotation stands alone where the text is not supported.
func (w *writing) rested(said answer.Answer, by string, result *generate.Result) *engine.Answer {
	if result.Finish == generate.Refused {
		return answer.ShownQuoted(w.declined())
	}
	quoted := w.verified(result.Refusal)
	if said.Confidence != answer.Sure {
		return answer.ShownQuoted(quoted)
	}
	written := answer.Shown(said, by)
	cited := written.Citations
	written.Quotation = answer.Shown(quoted, engine.Extracted)
	written.Confidence, written.Short, written.Citations = written.Quotation.Confidence, written.Quotation.Short, nil
	for _, c := range written.Quotation.Citations {
		if slices.ContainsFunc(cited, func(o engine.AnswerCitation) bool { return o.N == c.N }) {
			written.Citations = append(written.Citations, c)
		}
	}
	return written
}
