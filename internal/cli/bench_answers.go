package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// benchAnswersDepth is the passages of an example: more than an answer is made
// from, so that there is something to choose from.
const benchAnswersDepth = 8

func newBenchAnswers(s *streams) *cobra.Command {
	var opts app.BenchAnswersOptions
	cmd := &cobra.Command{
		Use:   "answers DIR",
		Short: "Ask questions of notes whose answers are known",
		Long: `Answers indexes DIR/notes into a home of its own, which it removes afterwards, and
asks the questions of DIR/questions.jsonl. Your own index and settings are not
touched.

Each line of the questions is a JSON object:
  question, kind   what is asked, and the kind that it is counted under
  path             the note that answers, relative to notes; null where none does
  answerable       whether one does; where it is missing, whether path names one
  quotes, short    stretches of the note that answer, short the shortest or null

--lists FILE writes an example to train an answerer on for each question, a JSON
object a line: question, kind, path ("" where no note answers), quotes, short,
answerable, and passages, the first --depth of the search in its final order,
each with path (relative to notes), heading, text, score and pieces. A piece has
rune_start and rune_end, which count code points of text (as Python indexes it,
not bytes), kind (prose, item, heading, code or row) and block, the number of the
paragraph or list item that it is of.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if opts.Lists == "" {
				return errors.New("--lists FILE is missing: name the file to write")
			}
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			return a.BenchAnswers(cmd.Context(), args[0], opts, line.counted)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.Questions, "questions", "", "ask the lines of this `FILE` instead of DIR/questions.jsonl")
	f.StringVar(&opts.Stages, "stages", "", "what ranks: rerank, hybrid, lexical or vector; the best there is if not given")
	f.StringVar(&opts.Lists, "lists", "", "write examples for training to this `FILE`")
	f.IntVar(&opts.Depth, "depth", benchAnswersDepth, "passages of each example")
	return cmd
}
