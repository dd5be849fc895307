package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"dowse/internal/app"
	"dowse/internal/eval"
)

// questionsFile is the file of questions in a folder of notes.
const questionsFile = "questions.jsonl"

// hasQuestions reports whether a folder holds notes with questions.
func hasQuestions(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, questionsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// evaluateNotes measures how high the note that answers is ranked. The notes are
// indexed as a person's folder is, in passages with headings, into a home that is
// removed; a note stands where its best passage does.
func (a *Runner) evaluateNotes(ctx context.Context, dir string, opts EvalOptions, progress func(phase string, done, total int)) (report *eval.Report, err error) {
	if opts.Exact {
		return nil, fmt.Errorf("%s holds notes with questions, which are searched as a folder of yours is; the reference by --exact is for collections in BEIR layout", dir)
	}
	folder, err := app.ResolveFolder(dir)
	if err != nil {
		return nil, err
	}
	questions, err := eval.ReadNoteQuestions(filepath.Join(folder, questionsFile))
	if err != nil {
		return nil, err
	}
	where, err := notesOf(folder)
	if err != nil {
		return nil, err
	}
	ds := &eval.Dataset{Name: filepath.Base(folder), Queries: answerableQueries(questions)}
	if len(ds.Queries) == 0 {
		return nil, fmt.Errorf("no question of %s names the note that answers it", filepath.Join(folder, questionsFile))
	}
	err = a.onTrial(func(trial *Runner) error {
		report, err = trial.rankNotes(ctx, ds, where, opts, progress)
		return err
	})
	return report, err
}

// answerableQueries are the questions that a note answers, with that note as the
// only relevant one.
func answerableQueries(questions []eval.NoteQuestion) []eval.Query {
	var queries []eval.Query
	for i, q := range questions {
		if q.Path != "" {
			queries = append(queries, eval.Query{ID: strconv.Itoa(i + 1), Text: q.Text, Grades: map[string]int{q.Path: 1}})
		}
	}
	return queries
}

// rankNotes indexes notes and asks the queries of them.
func (a *Runner) rankNotes(ctx context.Context, ds *eval.Dataset, where string, opts EvalOptions, progress func(phase string, done, total int)) (report *eval.Report, err error) {
	notes, err := a.openNotes(where, AnswersOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, notes.Close()) }()
	files, err := notes.index(ctx, progress)
	if err != nil {
		return nil, err
	}
	report, err = eval.Run(ctx, ds, noteRetriever{notes}, opts.Stages, opts.Queries, func(done, total int) {
		progress("asking", done, total)
	})
	if err != nil {
		return nil, err
	}
	report.Documents = files
	return report, nil
}

// noteRetriever ranks notes by their passages. A note may stand in a list
// several times, of which the first counts.
type noteRetriever struct{ notes *askedNotes }

// Retrieve implements eval.Retriever.
func (r noteRetriever) Retrieve(ctx context.Context, stage, query string, k int) ([]eval.Ranked, eval.Cost, error) {
	found, cost, err := retriever{r.notes.Engine}.Retrieve(ctx, stage, query, k)
	for i := range found {
		if found[i].ID, err = r.notes.name(found[i].ID); err != nil {
			return nil, eval.Cost{}, err
		}
	}
	return found, cost, err
}
