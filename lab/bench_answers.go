package main

import (
	"context"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// benchAnswersDepth is the passages of an example: more than an answer is made
// from, so that there is something to choose from.
const benchAnswersDepth = 8

func newBenchAnswers(s streams) *cobra.Command {
	var opts measure.AnswersOptions
	var embedder string
	cmd := &cobra.Command{
		Use:   "answers DIR",
		Short: "Measure answers to questions about notes",
		Long: `Answers indexes DIR/notes into a home of its own, which it removes afterwards,
asks the questions of DIR/questions.jsonl one after the other, as dowse -q
QUESTION --answer -k 5 does, and counts. Your own index and settings are not
touched, and the reranker prunes as on a new machine.

Each line of the questions is a JSON object:
  question, kind   what is asked, and the kind that it is counted under
  path             the note that answers, relative to notes; null where none does
  answerable       whether one does; where it is missing, whether path names one
  quotes           stretches of the note that together answer
  short            the shortest stretch that does, or null
  answer           a good answer, for people
  must             regular expressions (of Python, whatever the case, the dot
                   matching line ends) that all match a right answer
Without must, an answer is right that holds short word for word, or one of the
quotes where short is null; white space and Markdown's marks do not count. Of
Python's expressions, those with lookaround or references back cannot be read:
the answers to such questions are not judged, and each is named.

Columns, of the questions that the notes answer:
  note, evidence    the note is among the five passages; a right answer is
  quote             a quote is in the answer, or in a place that it cites
  right, wrong      answers; perhaps counts those said to be uncertain
  declined          not answered
and of the others:
  declined          not answered, rightly
  invented          answered; perhaps counts answers said to be uncertain

--answerer takes what dowse models use takes for answers, for this run: extract,
or the name of an installed model. It may be repeated, for a table each.

--lists FILE writes an example to train an answerer on for each question, a JSON
object a line: question, kind, path ("" where no note answers), quotes, short,
answerable, and passages, the first --depth of the search in its final order,
each with path (relative to notes), heading, columns (the row that names them, where
it begins within a table), text, score and pieces. A piece has
rune_start and rune_end, which count code points of text (as Python indexes it,
not bytes), kind (prose, item, heading, code or row) and block, the number of the
paragraph or list item that it is of. Nothing is asked then, unless an --answerer
is named.`,
		Args: cobra.ExactArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		if err := a.TryEmbedder(embedder); err != nil {
			return nil, err
		}
		report, err := measure.With(a).Answers(ctx, args[0], opts, progress)
		if report == nil {
			return nil, err // no interface that holds a nil
		}
		return report, err
	})
	f := cmd.Flags()
	f.BoolVar(&opts.Show, "show", false, "report each answer too, with its verdict")
	f.StringArrayVar(&opts.Answerers, "answerer", nil, "who answers: extract, or the `NAME` of an installed model (may be repeated)")
	embedderFlag(cmd, &embedder)
	f.StringVar(&opts.Questions, "questions", "", "ask the lines of this `FILE` instead of DIR/questions.jsonl")
	f.StringVar(&opts.Stages, "stages", "", "what ranks: rerank, hybrid, lexical or vector; the best there is if not given")
	f.StringVar(&opts.Lists, "lists", "", "write examples for training to this `FILE`")
	f.IntVar(&opts.Depth, "depth", benchAnswersDepth, "passages of each example")
	return cmd
}
