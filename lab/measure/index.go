package measure

import (
	"context"
	"errors"
	"os"

	"dowse/indexer"
	"dowse/internal/app"
	"dowse/internal/home"
	"dowse/internal/indexes"
	"dowse/lab/bench"
	"dowse/store"
)

// Index indexes folders into a home that it removes, and embeds the same passages alone.
func (a *Runner) Index(ctx context.Context, dirs []string, progress bench.Progress) (report *bench.IndexReport, err error) {
	folders, err := app.ResolveFolders(dirs)
	if err != nil {
		return nil, err
	}
	err = a.onTrial(func(trial *Runner) (err error) {
		m, err := trial.OpenModels(nil)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.Close()) }()
		if err := home.MakePrivate(trial.Home.Data); err != nil {
			return err
		}
		db, err := store.Open(trial.Home.Index(), store.Options{Fingerprint: indexes.Fingerprint(m.Embedder.Fingerprint())})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		report, err = bench.Index(ctx, folders, trial.IndexerOptions(db, m, nil, indexer.DefaultPrepared, nil, nil), progress)
		if err != nil {
			return err
		}
		info, err := os.Stat(trial.Home.Index())
		if err == nil {
			report.Bytes = info.Size()
		}
		return err
	})
	return report, err
}
