package measure

import (
	"context"
	"os"

	"dowse/internal/app"
	"dowse/lab/bench"
)

// Extract measures how fast files give their text, by this program in a process a format.
func (a *Runner) Extract(ctx context.Context, dirs []string, opts bench.ExtractOptions, progress bench.Progress) (report *bench.ExtractReport, err error) {
	if opts.Program, err = os.Executable(); err != nil {
		return nil, err
	}
	if opts.Folders, err = app.ResolveFolders(dirs); err != nil {
		return nil, err
	}
	opts.MaxFile = a.Config.MaxFile
	return bench.Extract(ctx, opts, progress)
}

// ExtractOne measures one format in this process.
func (a *Runner) ExtractOne(ctx context.Context, format string, dirs []string, opts bench.ExtractOptions, progress bench.Progress) (*bench.ExtractRun, error) {
	opts.Folders, opts.MaxFile = dirs, a.Config.MaxFile
	return bench.ExtractOne(ctx, format, opts, progress)
}
