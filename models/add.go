package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dowse/models/pack"
	"dowse/models/safetensors"
)

// Addition is a model that a person brings.
type Addition struct {
	Name    string
	Path    string // a Hugging Face folder, a GGUF file, or the name of an installed decoder
	Adapter string // folder of a low-rank adapter as PEFT writes it; "" for none
	Prompt  Prompt // NoPrompt leaves it to the name and the adapter

	// Check says whether the parts of a job fit together: its pack, its
	// adapter's folder, or "", and its prompt.
	Check func(pack, adapter string, prompt Prompt) error
}

// addition is an Addition on its way.
type addition struct {
	Addition
	caches   []string // the first one is added to
	progress func(Progress)
	explicit bool // a job was asked for, and not only told by the name
	staging  string
	job      Job
	pack     string
}

// Add imports a model into the first of the caches. With an adapter or a prompt
// it becomes a reranker; its decoder may then be one that is installed in any
// of the caches. Without, a name that is installed already is left as it is.
// progress may be nil.
func Add(ctx context.Context, caches []string, a Addition, progress func(Progress)) error {
	explicit := a.Adapter != "" || a.Prompt != NoPrompt
	if !explicit {
		a.Prompt = usualPrompt(filepath.Base(a.Path))
	}
	if !explicit && a.Prompt == NoPrompt {
		_, err := Pull(ctx, caches[0], a.Name, PullOptions{From: Folder, Folder: a.Path}, progress)
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

// run adds the model. One that is there already will not do for a job that was
// asked for.
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

// make gathers the parts in a folder of their own, and moves them to their place
// once they fit.
func (n *addition) make(ctx context.Context) (err error) {
	if n.staging, err = newStaging(n.caches[0], n.Name); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(n.staging)) }()
	// A pack may take minutes; what can be refused before is.
	if n.Adapter != "" {
		if err := n.takeAdapter(); err != nil {
			return fmt.Errorf("adapter %s: %w", n.Adapter, err)
		}
	}
	if err := n.choosePrompt(); err != nil {
		return err
	}
	if err := n.takePack(ctx); err != nil {
		return err
	}
	if err := n.identify(); err != nil {
		return err
	}
	if n.job.Prompt != NoPrompt {
		if err := n.Check(n.pack, n.Adapter, n.job.Prompt); err != nil {
			return err
		}
	}
	return n.install()
}

// takePack imports the pack, or finds that of an installed model.
func (n *addition) takePack(ctx context.Context) error {
	if !exists(n.Path) && checkName(n.Path) == nil {
		if n.pack = basePath(n.caches, n.Path); n.pack == "" {
			return fmt.Errorf("%s is neither a file or folder nor an installed model; dowse models list shows those that are", n.Path)
		}
		n.job.Base = n.Path
		return nil
	}
	n.pack = filepath.Join(n.staging, packFile)
	return pack.Import(ctx, n.Path, n.pack, func(done, total int64) {
		n.progress(Progress{"import " + n.Name, done, total})
	})
}

// takeAdapter copies the adapter.
func (n *addition) takeAdapter() error {
	folder := filepath.Join(n.staging, adapterFolder)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	for _, name := range []string{adapterConfig, adapterWeights} {
		sum, err := copySummed(filepath.Join(n.Adapter, name), filepath.Join(folder, name))
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("there is no %s in it; name the folder that PEFT saved an adapter to", name)
		}
		if err != nil {
			return err
		}
		n.job.AdapterSum = sum // the last one is that of the weights
	}
	return nil
}

// copySummed copies a file to the disk and returns its SHA-256 in hex.
func copySummed(from, to string) (sum string, err error) {
	source, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer func() { _ = source.Close() }() // it was only read
	file, err := os.Create(to)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(file, hash), source)
	if err == nil {
		err = file.Sync()
	}
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, file.Close())
}

// identify notes which pack the job is for. One of an encoder is none for a job:
// that is an error if one was asked for, and otherwise the name told too much.
func (n *addition) identify() error {
	p, err := pack.Open(n.pack)
	if err != nil {
		return err
	}
	sum, c := p.Fingerprint(), p.Config()
	if err := p.Close(); err != nil {
		return err
	}
	n.job.Fingerprint = hex.EncodeToString(sum[:])
	switch {
	case c.Decoder:
	case n.explicit || n.job.Base != "":
		return fmt.Errorf("%s is an encoder; adapters and prompts are for decoders", c.Architecture)
	default:
		n.job.Prompt = NoPrompt
	}
	return nil
}

// choosePrompt chooses where the person did not: an adapter with a head needs no
// more than the texts, and a published reranker has its own.
func (n *addition) choosePrompt() error {
	heads := false
	if n.Adapter != "" {
		var err error
		if heads, err = hasHeads(filepath.Join(n.staging, adapterFolder, adapterWeights)); err != nil {
			return fmt.Errorf("adapter %s: %w", n.Adapter, err)
		}
	}
	n.job.Prompt = n.Prompt
	for _, name := range []string{filepath.Base(n.Path), n.Name} {
		if n.job.Prompt == NoPrompt && !heads {
			n.job.Prompt = usualPrompt(name)
		}
	}
	switch {
	case heads && n.job.Prompt == NoPrompt:
		n.job.Prompt = PlainPrompt
	case n.job.Prompt == NoPrompt:
		return fmt.Errorf("the adapter has no head that scores; say how the model is asked with --prompt %s or --prompt %s", Qwen3Prompt, MxbaiPrompt)
	case n.job.Prompt == PlainPrompt && !heads:
		return fmt.Errorf("--prompt %s is for models with a head that scores; give an adapter that has one, or choose --prompt %s or --prompt %s",
			PlainPrompt, Qwen3Prompt, MxbaiPrompt)
	}
	return nil
}

// hasHeads says whether an adapter makes scores itself.
func hasHeads(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	r, err := safetensors.NewReader(file, info.Size())
	if err != nil {
		return false, fmt.Errorf("%s: %w", adapterWeights, err)
	}
	for _, name := range []string{"heads.weight", "base_model.model.heads.weight"} {
		if _, ok := r.Tensor(name); ok {
			return true, nil
		}
	}
	return false, nil
}

// install moves the parts to their place, that which makes them a model last.
// What a broken model of the name left is replaced.
func (n *addition) install() error {
	folder := modelFolder(n.caches[0], n.Name)
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	if n.job.AdapterSum != "" {
		if err := os.Rename(n.job.adapter(n.staging), n.job.adapter(folder)); err != nil {
			return err
		}
	}
	if n.job.Prompt != NoPrompt {
		if err := n.job.write(folder); err != nil {
			return err
		}
	}
	if n.job.Base != "" {
		return nil
	}
	return os.Rename(n.pack, filepath.Join(folder, packFile))
}
