package indexes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"

	"dowse/engine"
	"dowse/internal/config"
)

// Index implements engine.Service. An index that is built with another embedder than the settings
// name is migrated, unless a watch does that; the migration indexes everything.
func (o *Owner) Index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	o.tellSettings(emit)
	named, rest := o.splitByModel(folders)
	report := &engine.IndexReport{}
	if len(rest) > 0 || len(folders) == 0 && !o.onlyFolderModels() {
		var err error
		o.showAtOnce(ctx, folders)
		if report, err = o.index(ctx, rest, emit); err != nil {
			return nil, err
		}
		if !o.watching.Load() { // otherwise others were waited for
			o.opener.KeepPace(o.Stack().Models.Embedder.Fingerprint(), report)
		}
	}
	if !o.hasFolderModels() || o.watching.Load() && len(rest) > 0 && len(named) == 0 {
		return report, nil
	}
	return o.indexFolderModels(ctx, folders, named, report, emit)
}

// index is Index for the main index, without keeping its pace.
func (o *Owner) index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	s := o.Stack()
	if !s.needsMigration(o.migrations.target()) || o.watching.Load() && !s.byWords {
		return o.Relay.Index(ctx, folders, emit)
	}
	_, err := writing(ctx, &s.gate, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.indexer.AddRoots(ctx, folders)
	})
	if errors.Is(err, errClosing) {
		return o.Relay.Index(ctx, folders, emit)
	}
	if err != nil {
		return nil, err
	}
	stop := func() {}
	if emit != nil {
		stop = s.forward(ctx, emit)
	}
	report, err := o.migrate(ctx, false)
	stop()
	switch {
	case err != nil && (s.byWords || ctx.Err() != nil):
		return nil, err
	case err != nil: // what there is goes on being of use
		o.Publish(engine.Event{Problem: err.Error()})
		fallthrough
	case report == nil:
		return o.Relay.Index(ctx, folders, emit)
	}
	return report, nil
}

// splitByModel divides folders into the ones that are to have an embedder of their own and the rest.
func (o *Owner) splitByModel(folders []string) (named, rest []string) {
	want := o.migrations.ownFolders().Paths
	for _, folder := range folders {
		if inside(folder, want) {
			named = append(named, folder)
		} else {
			rest = append(rest, folder)
		}
	}
	return named, rest
}

// hasFolderModels reports whether a folder has an embedder of its own, or is to have one.
func (o *Owner) hasFolderModels() bool {
	return o.Stack().folderIndex.Load() != nil || len(o.migrations.ownFolders().Paths) > 0
}

// onlyFolderModels reports whether all folders that are indexed have an embedder of their own.
func (o *Owner) onlyFolderModels() bool {
	s := o.Stack()
	fi := s.folderIndex.Load()
	if fi == nil {
		return false
	}
	rest, err := s.indexer.Roots()
	roots, wrong := fi.indexer.Roots()
	return err == nil && wrong == nil && len(rest) == 0 && len(roots) > 0
}

// indexFolderModels moves folders to the embedders that they are to have, indexes them there, and
// adds that to the report of the others. folders are all that were to be indexed; empty for all
// known ones.
func (o *Owner) indexFolderModels(ctx context.Context, folders, named []string, before *engine.IndexReport, emit func(engine.Event)) (*engine.IndexReport, error) {
	s := o.Stack()
	stop := func() {}
	if emit != nil {
		stop = s.forward(ctx, emit)
	}
	more, err := o.move(ctx, named, true)
	stop()
	if err != nil {
		if ctx.Err() != nil || len(named) > 0 {
			return nil, err
		}
		o.Publish(engine.Event{Problem: "folders could not be moved to their model: " + err.Error()})
		if emit != nil {
			emit(engine.Event{Problem: "folders could not be moved to their model: " + err.Error()})
		}
	}
	sum := addReports(*more, *before)
	sum.Skipped = maps.Clone(before.Skipped)
	for why, n := range more.Skipped {
		if sum.Skipped == nil {
			sum.Skipped = map[string]int{}
		}
		sum.Skipped[why] += n
	}
	sum.Partial = before.Partial + more.Partial
	held, err := o.Stack().within(folders)
	if err != nil {
		return nil, err
	}
	sum.Files, sum.Chunks, sum.TextBytes = held.files, held.chunks, held.text
	return &sum, nil
}

// tellSettings says that the settings of reading files were changed after this process began, which goes on with
// the earlier ones: otherwise extract.secrets = false would erase nothing, without a word.
func (o *Owner) tellSettings(emit func(engine.Event)) {
	if emit == nil {
		return
	}
	now, err := config.Load(o.opener.Home.ConfigFile())
	was := o.opener.Config
	if err != nil || now.Hidden == was.Hidden && now.MaxFile == was.MaxFile && reflect.DeepEqual(now.Extract, was.Extract) {
		return
	}
	emit(engine.Event{Problem: fmt.Sprintf("the settings were changed after process %d began, which does the indexing: it goes on with the earlier ones; end it and start it again", os.Getpid())})
}
