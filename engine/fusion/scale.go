package fusion

import (
	"context"
	"fmt"
	"math"
)

// Scale brings the cosines of a model to those that fusion was fitted on: models differ in
// how close they hold texts that have nothing in common, from 0 to .8, and in how much
// closer related ones are. The zero Scale leaves cosines as they are.
type Scale struct{ offset, factor float64 }

// NewScale returns the Scale that Of makes offset + factor*cosine of; factor is above 0.
func NewScale(offset, factor float64) Scale { return Scale{offset, factor} }

// Terms are what NewScale makes the same Scale of; 0 and 0 of the zero Scale.
func (s Scale) Terms() (offset, factor float64) { return s.offset, s.factor }

// Of returns a cosine on the scale of fusion.
func (s Scale) Of(cosine float64) float64 {
	if s == (Scale{}) {
		return cosine
	}
	return s.offset + s.factor*cosine
}

// Cosine is the inverse of Of.
func (s Scale) Cosine(x float64) float64 {
	if s == (Scale{}) {
		return x
	}
	return (x - s.offset) / s.factor
}

// Embedder makes vectors of unit length, one a text, one after the other.
type Embedder interface {
	Dim() int
	EmbedQueries(ctx context.Context, texts []string) ([]float32, error)
	EmbedDocuments(ctx context.Context, texts []string) ([]float32, error)
}

// What the model whose scale is that of fusion, dowse-embed-6, makes of samples: the mean
// cosine of a question with the passage that answers it, and with the others.
const (
	fittedRelated   = 0.5307320885
	fittedUnrelated = 0.0080186100
)

// leastContrast is how much closer related samples must be than others for a Scale to be
// told from chance.
const leastContrast = .01

// MeasureScale embeds some short texts and compares how close related and unrelated ones
// are with how close the model holds them that fusion was fitted on. A model that does
// not tell them apart is an error.
func MeasureScale(ctx context.Context, e Embedder) (Scale, error) {
	related, unrelated, err := contrast(ctx, e)
	if err != nil {
		return Scale{}, err
	}
	if !(related-unrelated > leastContrast) {
		return Scale{}, fmt.Errorf("the model holds questions no closer to their answers (%.3f) than to other texts (%.3f)", related, unrelated)
	}
	factor := (fittedRelated - fittedUnrelated) / (related - unrelated)
	return Scale{offset: fittedUnrelated - factor*unrelated, factor: factor}, nil
}

// contrast returns the mean cosines of questions with their own passages and with others.
func contrast(ctx context.Context, e Embedder) (related, unrelated float64, err error) {
	var questions, passages []string
	for _, s := range samples {
		questions, passages = append(questions, s.question), append(passages, s.passage)
	}
	q, err := e.EmbedQueries(ctx, questions)
	if err != nil {
		return 0, 0, err
	}
	p, err := e.EmbedDocuments(ctx, passages)
	if err != nil {
		return 0, 0, err
	}
	d, n := e.Dim(), len(samples)
	for i := range n {
		for j := range n {
			cosine := 0.0
			for k := range d {
				cosine += float64(q[i*d+k]) * float64(p[j*d+k])
			}
			if i == j {
				related += cosine / float64(n)
			} else {
				unrelated += cosine / float64(n*(n-1))
			}
		}
	}
	if math.IsNaN(related + unrelated) {
		return 0, 0, fmt.Errorf("the model makes vectors that are no numbers")
	}
	return related, unrelated, nil
}

// samples are short questions and what answers them, on topics far apart, as people write
// them in notes.
var samples = []struct{ question, passage string }{
	{"how do I reset the boiler", "Boiler shows F28: hold the flame button for five seconds, wait until the display counts down, then top up the water to 1.2 bar."},
	{"what did the dentist say about the crown", "Dentist on Tuesday. The old crown upper left has a crack, he wants to replace it before summer, two visits, ceramic."},
	{"which grinder setting for espresso", "Coffee: the new beans run too fast at 14, at 11 the shot takes 28 seconds and is no longer sour."},
	{"when is the car insurance due", "Insurance for the car is renewed every year on the first of March; send the mileage to the agent two weeks before."},
	{"who looks after the cat in August", "Holiday plan: Marta waters the tomatoes, and Jonas next door feeds the cat from the 3rd until we are back."},
	{"why did the nightly backup fail", "The backup job stopped at 02:10 because the target disk was full; old snapshots were not pruned since the move to the new server."},
	{"how long to proof the rye bread", "Rye sourdough, second try. Bulk 3 hours at 26 degrees, then 90 minutes in the basket. Crumb still a bit dense."},
	{"what is the wifi password at the cabin", "Cabin: key under the blue pot, router behind the stove, network Birkenweg, the password is on the back of the calendar."},
	{"which paper compares pruning methods", "Read the survey on pruning neural networks. Table 4 compares magnitude, movement and lottery tickets on the same budget."},
	{"how much did the roof repair cost", "Roofer came back with two people, replaced nine tiles and the flashing at the chimney. Invoice 840, paid by transfer."},
	{"what did we decide about the release date", "Meeting notes: the release moves to the second week of May, since translations are late and the installer is untested."},
	{"where did I park the bike at the station", "Left the bike on the north side of the station, lower rack, row C, because the upper ones were taken."},
}
