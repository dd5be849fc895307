package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/registry"
	"dowse/models"
)

// useForFolder gives a folder an embedder of its own, or that of the rest again, and tells
// the process that owns the index.
func useForFolder(ctx context.Context, s *streams, name, folder string) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	path, err := app.ResolveFolder(folder)
	if err != nil && name == registry.DefaultForFolder {
		path, err = filepath.Abs(folder) // it may be gone
	}
	if err != nil {
		return err
	}
	if name != registry.DefaultForFolder {
		line := newProgressLine(s.err)
		err = a.PullForUse(ctx, name, func(p models.Progress) { line.show(p.Step, pullText(p)) })
		line.done()
		if err != nil {
			return err
		}
	}
	if err := a.UseFolderModel(path, name); err != nil {
		return err
	}
	change, err := a.FollowModel(ctx)
	if err != nil {
		return fmt.Errorf("%s is chosen for %s, and will be used by the next dowse that owns the index; the one that does now could not be told: %w", name, path, err)
	}
	if change == nil {
		s.note(fmt.Sprintf("%s is chosen for %s; dowse index DIR builds an index with it", name, path))
		return nil
	}
	return withService(ctx, s, func(service engine.Service) error {
		st, err := service.Status(ctx)
		if err != nil {
			return err
		}
		s.note(folderText(name, path, st))
		return nil
	})
}

// folderText says what follows from the choice for a folder.
func folderText(name, path string, st *engine.Status) string {
	for _, f := range st.Folders {
		switch {
		case f.Folder != path:
		case f.To == "":
			return fmt.Sprintf("%s is chosen for %s, which has it", name, path)
		case f.Problem != "":
			return fmt.Sprintf("%s is chosen for %s, but %s; searches use %s until then", name, path, f.Problem, modelOr(f.Model))
		case st.Watching:
			return fmt.Sprintf("%s is chosen for %s, whose passages are being moved; searches use %s until then", name, path, modelOr(f.Model))
		default:
			return fmt.Sprintf("%s is chosen for %s; dowse index, dowse watch and the screen move its passages; searches use %s until then", name, path, modelOr(f.Model))
		}
	}
	if name == registry.DefaultForFolder {
		return path + " has the model of the other folders"
	}
	return fmt.Sprintf("%s is chosen for %s; dowse index %s indexes it", name, path, path)
}

// modelOr names an embedder, or what is done without one.
func modelOr(model string) string {
	if model == "" {
		return "words alone"
	}
	return model
}

var errFolderAlone = errors.New("--as and --folder do not go together: a server embeds all folders or none")
