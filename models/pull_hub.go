package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"dowse/models/hub"
	"dowse/models/internal/smallfile"
)

type fetching struct {
	*pull
	client   hub.Client
	revision string // the commit, if the hub tells it
	folder   string
}

// fromHub downloads the files. After an error they stay for resuming, unless
// the import refused them.
func (p *pull) fromHub(ctx context.Context) error {
	if p.entry.Repository == "" {
		return errors.New("this model has no repository on the hub")
	}
	f := &fetching{pull: p, revision: p.entry.Revision, client: hub.Client{
		Endpoint: cmp.Or(p.opts.Endpoint, os.Getenv("HF_ENDPOINT")), Token: cmp.Or(p.opts.Token, os.Getenv("HF_TOKEN")),
	}}
	p.origin = &Origin{Repository: p.entry.Repository, Revision: p.entry.Revision}
	if err := f.begin(ctx); err != nil {
		return err
	}
	if err := f.all(ctx); err != nil {
		return err
	}
	err := p.importFiles(ctx, f.folder)
	if err != nil && !refuses(ctx, err) {
		return err
	}
	gone := os.RemoveAll(filepath.Dir(f.folder))
	for parent := filepath.Dir(filepath.Dir(f.folder)); parent != stagingFolder(f.cacheDir) && os.Remove(parent) == nil; {
		parent = filepath.Dir(parent) // if empty otherwise
	}
	if err != nil && gone == nil {
		err = fmt.Errorf("%w; what was downloaded is deleted, and the next pull starts over", err)
	}
	return errors.Join(err, gone)
}

// refuses reports whether an import failed because of the files, not of disk,
// memory or cancelling.
func refuses(ctx context.Context, err error) bool {
	var system syscall.Errno
	return ctx.Err() == nil && (!errors.As(err, &system) || errors.Is(err, fs.ErrNotExist))
}

// begin asks for the files' commit and drops another commit's remains. Pinned
// files need no commit.
func (f *fetching) begin(ctx context.Context) error {
	old := filepath.Join(stagingFolder(f.cacheDir), filepath.Base(f.entry.Repository)+"@"+f.entry.Revision) // of a pull without an origin
	home := filepath.Join(stagingFolder(f.cacheDir), hubFolder, filepath.FromSlash(f.entry.Name))
	if repository, _ := splitName(f.entry.Name); repository != "" {
		file := hub.File{Repository: f.entry.Repository, Revision: f.entry.Revision, Name: f.entry.Files[0].Name}
		f.progress(Progress{Step: "look for " + f.entry.Repository})
		commit, err := f.client.Commit(ctx, file)
		if err != nil {
			return err
		}
		f.revision, f.origin.Commit = cmp.Or(commit, f.revision), commit
	}
	f.folder = filepath.Join(home, f.revision)
	left, err := os.ReadDir(home)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, other := range left {
		if other.Name() != f.revision {
			err = errors.Join(err, os.RemoveAll(filepath.Join(home, other.Name())))
		}
	}
	return os.RemoveAll(old)
}

func (f *fetching) all(ctx context.Context) error {
	for _, file := range f.entry.Files {
		err := f.download(ctx, file)
		if file.Optional && errors.Is(err, hub.ErrNotFound) {
			err = nil
			if file.Name == weightsFile {
				err = f.shards(ctx)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *fetching) download(ctx context.Context, s SourceFile) error {
	file := hub.File{Repository: f.entry.Repository, Revision: f.revision, Name: s.Name, SHA256: s.SHA256, Size: s.Size}
	got, err := f.client.Download(ctx, file, filepath.Join(f.folder, filepath.FromSlash(s.Name)), func(p hub.Progress) {
		f.progress(Progress{Step: "download " + s.Name, Done: p.Done, Total: p.Total, Rate: p.Rate, Quiet: p.Quiet})
	})
	if err == nil {
		f.origin.Files = append(f.origin.Files, OriginFile{s.Name, got.SHA256, got.Size})
	}
	return err
}

// shards fetches the files of an index.
func (f *fetching) shards(ctx context.Context) error {
	if err := f.download(ctx, SourceFile{Name: weightIndex}); err != nil {
		return err
	}
	data, err := smallfile.Read(filepath.Join(f.folder, weightIndex), smallfile.Index)
	if err != nil {
		return err
	}
	var index struct {
		Files map[string]string `json:"weight_map"` // by tensor
	}
	if err := json.Unmarshal(data, &index); err != nil {
		return fmt.Errorf("%s: %w; it is deleted, and the next pull starts over", weightIndex, errors.Join(err, os.RemoveAll(f.folder)))
	}
	names := map[string]bool{}
	for _, name := range index.Files {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `\?#`) {
			return fmt.Errorf("%s names %q, which is no file of the repository", weightIndex, name)
		}
		if err := f.download(ctx, SourceFile{Name: name}); err != nil {
			return err
		}
	}
	return nil
}
