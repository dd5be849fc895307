package models

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"dowse/internal/atomicfile"
	"dowse/models/pack"
	"dowse/models/prompt"
)

// importedSuffix marks a pack without an origin yet.
const importedSuffix = ".imported"

// importFiles makes the pack of a folder or a GGUF file; naming it comes last.
func (p *pull) importFiles(ctx context.Context, files string) error {
	folder, imported := filepath.Dir(p.pack), p.pack+importedSuffix
	names := []string{p.entry.Repository, path.Base(p.entry.Name), filepath.Base(p.opts.Folder)}
	if err := p.refuse(folder); err != nil {
		return err
	}
	err := pack.ImportWith(ctx, files, imported, prompt.Embeddings(names...), func(done, total int64) {
		p.progress(Progress{Step: "import " + p.entry.Name, Done: done, Total: total})
	})
	if err != nil {
		_ = os.Remove(folder) // if empty
		return err
	}
	if p.origin != nil {
		w, err := lookAt(imported)
		if err != nil {
			return errors.Join(err, os.Remove(imported))
		}
		p.origin.Fingerprint = hex.EncodeToString(w.sum[:])
		if adopted, err := p.adopt(ctx, w.sum); adopted || err != nil {
			_ = os.Remove(imported) // it may be gone already
			return err
		}
	}
	if err := p.prepare(folder); err != nil {
		return errors.Join(err, os.Remove(imported))
	}
	return atomicfile.Rename(imported, p.pack)
}

// refuse says that the folder holds a job on another model's pack.
func (p *pull) refuse(folder string) error {
	if job, err := readJob(folder); err == nil && job != nil && job.Base != "" {
		return fmt.Errorf("a model of this name is installed, which stands on %s; run dowse models remove %s first", job.Base, p.entry.Name)
	}
	return nil
}

// prepare readies the folder for its pack: it writes origin and published job
// first and removes what belonged to an unusable pack.
func (p *pull) prepare(folder string) error {
	for _, name := range []string{jobFile, adapterFolder, originFile} {
		if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	if p.origin != nil {
		if err := p.origin.write(folder); err != nil {
			return err
		}
	}
	way := usualPrompt(p.entry.Repository)
	if way == NoPrompt {
		return nil
	}
	return (&Job{Purpose: asked(way)}).write(folder)
}

// adopt renames a model that an older dowse pulled under a repository's last
// name part, if it has the weights pulled now. Others stay, and the person is
// told.
func (p *pull) adopt(ctx context.Context, sum [32]byte) (adopted bool, err error) {
	repository, _ := splitName(p.entry.Name)
	name := path.Base(repository)
	if _, known := Lookup(name); known || repository == "" {
		return false, nil
	}
	unlock, err := lock(ctx, p.cacheDir, name)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	folder, old := modelFolder(p.cacheDir, p.entry.Name), modelFolder(p.cacheDir, name)
	path := weightsPath(p.cacheDir, name)
	if path == "" {
		return false, nil
	}
	w, err := lookAt(path)
	if err != nil || w.sum != sum || exists(filepath.Join(old, adapterFolder)) {
		p.opts.Warn(fmt.Sprintf("the model %s, which was added, or pulled by an older dowse, is another one than %s, and stays; dowse models use %s chooses the one that was pulled now, and dowse models remove %s removes the other",
			name, p.entry.Name, p.entry.Name, name))
		return false, nil
	}
	if err := errors.Join(p.origin.write(old), os.RemoveAll(folder)); err != nil {
		return false, err
	}
	p.opts.Warn(fmt.Sprintf("the model %s, which an older dowse pulled, is the same; it is called %s now", name, p.entry.Name))
	return true, atomicfile.Rename(old, folder)
}
