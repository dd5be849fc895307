package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
	"dowse/models/internal/smallfile"
	"dowse/models/pack"
	"dowse/models/safetensors"
)

// Addition is a model of the person's own.
type Addition struct {
	Name    string
	Path    string // a Hugging Face folder, a GGUF file, or the name of an installed decoder
	Adapter string // folder of a low-rank adapter in PEFT's format; "": none
	Prompt  Prompt // NoPrompt: by the name and the adapter

	// Check reports whether pack, adapter folder (or "") and purpose fit
	// together.
	Check func(pack, adapter string, purpose Purpose) error
}

type addition struct {
	Addition
	caches   []string // the first one receives the model
	progress func(Progress)
	explicit bool // a job was requested, not only implied by the name
	staging  string
	job      Job
	pack     string
}

// Add imports a model into the first cache. With an adapter or a prompt it
// becomes a reranker or answerer, as the prompt or the adapter's dowse.json
// says; its decoder may be an installed one. Without, an installed name is left
// unchanged. progress may be nil.
func Add(ctx context.Context, caches []string, a Addition, progress func(Progress)) error {
	explicit := a.Adapter != "" || a.Prompt != NoPrompt
	if !explicit {
		a.Prompt = usualPrompt(filepath.Base(a.Path))
	}
	if !explicit && a.Prompt == NoPrompt {
		err := Pull(ctx, caches[0], a.Name, PullOptions{From: Folder, Folder: a.Path}, progress)
		return err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	n := &addition{Addition: a, caches: caches, progress: progress, explicit: explicit}
	if err := n.run(ctx); err != nil {
		return fmt.Errorf("add %s: %w", a.Name, err)
	}
	return nil
}

// run adds the model. An existing one does not satisfy a requested job.
func (n *addition) run(ctx context.Context) error {
	if err := checkName(n.Name); err != nil {
		return err
	}
	unlock, err := lock(ctx, n.caches[0], n.Name)
	if err != nil {
		return err
	}
	if _, err = Find(n.caches[:1], n.Name); err == nil && n.explicit {
		err = fmt.Errorf("a model of this name is installed; run dowse models remove %s first, or choose another name", n.Name)
	} else if err != nil {
		err = n.make(ctx)
	}
	return errors.Join(err, unlock())
}

// make assembles the parts in a staging folder and installs them once they fit.
func (n *addition) make(ctx context.Context) (err error) {
	if n.staging, err = newStaging(n.caches[0], n.Name); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(n.staging)) }()
	// A pack may take minutes, so that all checks come first.
	if n.Adapter != "" {
		if err := n.takeAdapter(); err != nil {
			return fmt.Errorf("adapter %s: %w", n.Adapter, err)
		}
	}
	if err := n.choosePurpose(); err != nil {
		return err
	}
	if err := n.takePack(ctx); err != nil {
		return err
	}
	if err := n.identify(); err != nil {
		return err
	}
	if n.job.Prompt != NoPrompt {
		if err := n.Check(n.pack, n.Adapter, n.job.Purpose); err != nil {
			return err
		}
	}
	return n.install()
}

// takePack imports the pack, or finds an installed model's.
func (n *addition) takePack(ctx context.Context) error {
	if !exists(n.Path) && checkAnyName(n.Path) == nil {
		base, err := Resolve(n.caches, n.Path)
		if err != nil {
			return err
		}
		if n.pack = basePath(n.caches, base); n.pack == "" {
			return fmt.Errorf("%s is neither a file or folder nor an installed model; dowse models list shows those that are", n.Path)
		}
		n.job.Base = base
		return nil
	}
	n.pack = filepath.Join(n.staging, packFile)
	return pack.Import(ctx, n.Path, n.pack, func(done, total int64) {
		n.progress(Progress{Step: "import " + n.Name, Done: done, Total: total})
	})
}

func (n *addition) takeAdapter() error {
	folder := filepath.Join(n.staging, adapterFolder)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	_, err := smallfile.Read(filepath.Join(n.Adapter, adapterConfig), smallfile.Settings)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, name := range []string{adapterConfig, adapterWeights} {
		source, err := os.Open(filepath.Join(n.Adapter, name))
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("there is no %s in it; name the folder that PEFT saved an adapter to", name)
		}
		if err != nil {
			return err
		}
		sum, _, err := copySummed(source, filepath.Join(folder, name))
		if err := errors.Join(err, source.Close()); err != nil {
			return err
		}
		n.job.AdapterSum = sum // the weights come last
	}
	return nil
}

// copySummed copies to a flushed file and returns SHA-256 in hex and size.
func copySummed(from io.Reader, to string) (sum string, size int64, err error) {
	file, err := os.Create(to)
	if err != nil {
		return "", 0, err
	}
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(file, hash), from)
	if err == nil {
		err = file.Sync()
	}
	return hex.EncodeToString(hash.Sum(nil)), size, errors.Join(err, file.Close())
}

// identify records the job's pack. An encoder's pack is an error if a job was
// requested; otherwise the name was misleading.
func (n *addition) identify() error {
	w, err := lookAt(n.pack)
	if err != nil {
		return err
	}
	c := w.config
	n.job.Fingerprint = hex.EncodeToString(w.sum[:])
	switch {
	case c.Decoder:
	case n.explicit || n.job.Base != "":
		return fmt.Errorf("%s is an encoder; adapters and prompts are for decoders", c.Architecture)
	default:
		n.job.Purpose = Purpose{}
	}
	return nil
}

// choosePurpose derives the purpose from the adapter's files, the prompt or the
// published name.
func (n *addition) choosePurpose() error {
	if n.Adapter == "" {
		return n.chooseWithoutAdapter()
	}
	heads, err := hasHeads(filepath.Join(n.staging, adapterFolder, adapterWeights))
	var trained *Purpose
	if err == nil {
		trained, err = readPurpose(n.Adapter)
	}
	if err != nil {
		return fmt.Errorf("adapter %s: %w", n.Adapter, err)
	}
	sum := n.job.AdapterSum
	switch {
	case trained == nil:
		n.job.Purpose = asked(n.promptOf(heads))
	case trained.AdapterSum != "" && trained.AdapterSum != sum:
		return fmt.Errorf("adapter %s: %s is not the one that %s was written with; copy the folder again", n.Adapter, adapterWeights, purposeFile)
	case n.Prompt != NoPrompt && n.Prompt != trained.Prompt:
		return fmt.Errorf("the %s of the adapter says that its prompt is %s; leave out --prompt %s", purposeFile, trained.Prompt, n.Prompt)
	default:
		n.job.Purpose = *trained
	}
	n.job.AdapterSum = sum
	switch {
	case n.job.Role == Reader:
		return fmt.Errorf("the adapter marks evidence; for that dowse uses %s, and no other", DefaultReader)
	case n.job.Prompt == NoPrompt:
		return fmt.Errorf("nothing says what the adapter was trained for: no %s lies with it, and it has no head that scores; say how the model is asked with %s, or that it answers with --prompt %s",
			purposeFile, publishedPrompts(), PassagesPrompt)
	case n.job.Prompt == PlainPrompt && !heads:
		return needsHead()
	case n.job.Role == Answerer && heads:
		return errors.New("the adapter has a head that scores, and an answerer has no use for one")
	}
	return nil
}

// promptOf returns the prompt of an adapter without a purpose.
func (n *addition) promptOf(heads bool) Prompt {
	if heads || n.Prompt != NoPrompt {
		return cmp.Or(n.Prompt, PlainPrompt)
	}
	return cmp.Or(usualPrompt(filepath.Base(n.Path)), usualPrompt(n.Name))
}

// chooseWithoutAdapter handles published rerankers, by name or chosen prompt.
func (n *addition) chooseWithoutAdapter() error {
	n.job.Purpose = asked(cmp.Or(n.Prompt, usualPrompt(filepath.Base(n.Path)), usualPrompt(n.Name)))
	switch n.job.Prompt {
	case PlainPrompt:
		return needsHead()
	case PassagesPrompt:
		return fmt.Errorf("--prompt %s is for adapters: without one a model answers as it is", PassagesPrompt)
	}
	return nil
}

func needsHead() error {
	return fmt.Errorf("--prompt %s is for models with a head that scores; give an adapter that has one, or choose %s",
		PlainPrompt, publishedPrompts())
}

// hasHeads reports whether an adapter computes scores itself.
func hasHeads(path string) (bool, error) {
	r, closeFile, err := openWeights(path)
	if err != nil {
		return false, err
	}
	defer closeFile()
	for _, name := range []string{"heads.weight", "base_model.model.heads.weight"} {
		if _, ok := r.Tensor(name); ok {
			return true, nil
		}
	}
	return false, nil
}

// openWeights opens an adapter's weights. The caller closes the file.
func openWeights(path string) (r *safetensors.Reader, closeFile func(), err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil {
		r, err = safetensors.NewReader(file, info.Size())
	}
	closeFile = func() { _ = file.Close() } // read only
	if err != nil {
		closeFile()
		return nil, nil, fmt.Errorf("%s: %w", adapterWeights, err)
	}
	return r, closeFile, nil
}

// install moves the parts into place, the marker of a model last, and replaces
// remains of a broken one.
func (n *addition) install() error {
	folder := modelFolder(n.caches[0], n.Name)
	if err := n.job.install(folder, n.staging); err != nil || n.job.Base != "" {
		return err
	}
	return atomicfile.Rename(n.pack, filepath.Join(folder, packFile))
}
