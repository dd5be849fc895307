package models

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/models/pack"
)

const rowsFile = "model.rows"

// RowsPath returns the path of a model's row pack.
func RowsPath(cacheDir, name string) string {
	return filepath.Join(modelFolder(cacheDir, name), rowsFile)
}

// WeightsPath returns a model's pack or else its row pack. The error wraps
// os.ErrNotExist where it has neither.
func WeightsPath(cacheDir, name string) (string, error) {
	path := PackPath(cacheDir, name)
	_, err := os.Stat(path)
	if !errors.Is(err, os.ErrNotExist) {
		return path, err
	}
	path = RowsPath(cacheDir, name)
	_, err = os.Stat(path)
	return path, err
}

// weightsPath is WeightsPath, or "".
func weightsPath(cacheDir, name string) string {
	path, err := WeightsPath(cacheDir, name)
	if err != nil {
		return ""
	}
	return path
}

type weights struct {
	config pack.Config
	sum    [32]byte // fingerprint of the pack, or of the one that rows were made of
	rows   string   // path of the row pack; "": none
}

// lookAt reads a header and finds the row pack beside a pack, unless it was
// made of another pack.
func lookAt(path string) (w weights, err error) {
	rows, err := pack.IsRows(path)
	if err != nil {
		return w, err
	}
	if rows {
		r, err := pack.OpenRows(path)
		if err != nil {
			return w, err
		}
		return weights{config: r.Config(), sum: r.Source(), rows: path}, r.Close()
	}
	p, err := pack.Open(path)
	if err != nil {
		return w, err
	}
	w = weights{config: p.Config(), sum: p.Fingerprint()}
	if err := p.Close(); err != nil {
		return w, err
	}
	if beside := filepath.Join(filepath.Dir(path), rowsFile); exists(beside) {
		if r, err := pack.OpenRows(beside); err == nil { // a damaged one is ignored
			if r.Source() == w.sum {
				w.rows = beside
			}
			return w, r.Close()
		}
	}
	return w, nil
}

// Fingerprint returns the hex hash of a pack's weights, tokenizer and
// configuration, or of a row pack's source.
func Fingerprint(path string) (string, error) {
	w, err := lookAt(path)
	return hex.EncodeToString(w.sum[:]), err
}

// VerifyWeights checks every byte of a pack or row pack and returns its size.
func VerifyWeights(ctx context.Context, path string) (size int64, err error) {
	rows, err := pack.IsRows(path)
	if err != nil {
		return 0, err
	}
	if rows {
		r, err := pack.OpenRows(path)
		if err != nil {
			return 0, err
		}
		return r.Size(), errors.Join(r.Verify(ctx), r.Close())
	}
	p, err := pack.Open(path)
	if err != nil {
		return 0, err
	}
	return p.Size(), errors.Join(p.Verify(ctx), p.Close())
}

// RowPack describes a row pack.
type RowPack struct {
	Bits        int   `json:"bits"`  // of a weight
	GroupLayers int   `json:"group"` // layers whose rows lie together
	Bytes       int64 `json:"bytes"` // of the file
}

// RowPack returns the model's row pack, or nil.
func (i Installation) RowPack() (*RowPack, error) {
	if i.Rows == "" {
		return nil, nil
	}
	r, err := pack.OpenRows(i.Rows)
	if err != nil {
		return nil, fmt.Errorf("the row pack of %s: %w", i.Name, err)
	}
	l := r.Layout()
	return &RowPack{l.Bits, l.GroupLayers, r.Size()}, r.Close()
}

// SwapOptions say how to make a row pack.
type SwapOptions struct {
	Bits        int  // of a weight: 8 or 4
	GroupLayers int  // layers whose rows lie together: 1, 2, 4 or 8
	Replace     bool // remove the pack once the row pack is verified
}

// Swapped is the outcome of Swap.
type Swapped struct {
	Model string `json:"model"`
	RowPack
	PackBytes int64 `json:"pack_bytes"` // of the source; 0 if only rows are left
	Converted bool  `json:"converted"`  // false if such a row pack existed
	Removed   bool  `json:"removed"`    // the pack
}

// Swap makes a row pack of an installed decoder, which can then answer in less
// memory than its weights, reading the rows of the next token (ActiveFlow). A
// sound row pack of the same pack and options stays. progress may be nil.
func Swap(ctx context.Context, caches []string, name string, o SwapOptions, progress func(Progress)) (Swapped, error) {
	s, err := swap(ctx, caches, name, o, progress)
	if err != nil {
		return s, fmt.Errorf("swap %s: %w", name, err)
	}
	return s, nil
}

func swap(ctx context.Context, caches []string, name string, o SwapOptions, progress func(Progress)) (s Swapped, err error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	if name, err = Resolve(caches, name); err != nil {
		return s, err
	}
	for _, cache := range caches {
		if checkAnyName(name) != nil || marker(cache, name) == "" {
			continue
		}
		if o.Replace {
			if err := dispensable(caches, name); err != nil {
				return s, err
			}
		}
		unlock, err := lock(ctx, cache, name)
		if err != nil {
			return s, err
		}
		s, err = swapIn(ctx, inspect(caches, cache, name), o, progress)
		return s, errors.Join(err, unlock())
	}
	return s, fmt.Errorf("it is not installed: %w; dowse models list shows those that are", os.ErrNotExist)
}

// dispensable returns an error if the pack is needed beside its row pack:
// rerankers and readers run on packs alone.
func dispensable(caches []string, name string) error {
	installed, err := Installed(caches...)
	if err != nil {
		return err
	}
	for _, i := range installed {
		if i.Job != nil && i.Job.Base == name && i.Role() != Answerer {
			return fmt.Errorf("the %s %s needs its ordinary form; swap it without --replace, or remove that first", i.Role(), i.Name)
		}
	}
	return nil
}

// swapIn swaps one locked installation.
func swapIn(ctx context.Context, i Installation, o SwapOptions, progress func(Progress)) (s Swapped, err error) {
	switch {
	case i.Problem != nil:
		return s, i.Problem
	case i.Job != nil && i.Job.Base != "":
		return s, fmt.Errorf("it stands on the model %s and has no weights of its own; swap that one", i.Job.Base)
	case !i.Config.Decoder:
		return s, fmt.Errorf("%s is an encoder; the rows of decoders alone are swapped", i.Config.Architecture)
	case i.Role() == Reranker:
		return s, errors.New("it is a reranker, which wants all of its weights for each passage; models that answer are swapped")
	}
	if _, err := pack.NewRowLayout(i.Config, o.GroupLayers, o.Bits); err != nil {
		return s, err
	}
	s.Model = i.Name
	old, err := i.RowPack()
	if err != nil {
		return s, err
	}
	path := filepath.Join(filepath.Dir(i.Path), rowsFile)
	same := old != nil && old.Bits == o.Bits && old.GroupLayers == o.GroupLayers
	if same {
		progress(Progress{Step: "check " + i.Name})
		_, err = VerifyWeights(ctx, i.Rows)
		same = err == nil
	}
	switch {
	case ctx.Err() != nil:
		return s, ctx.Err()
	case i.Path == path && err != nil:
		return s, err
	case i.Path == path && !same:
		return s, fmt.Errorf("only its row pack of %d bits in groups of %d is left, and a row pack is made of the ordinary one; remove the model and pull or add it again",
			old.Bits, old.GroupLayers)
	case !same: // or damaged
		if err := writeRows(ctx, i, path, o, progress); err != nil {
			return s, err
		}
		s.Converted, i.Rows = true, path
		if old, err = i.RowPack(); err != nil {
			return s, err
		}
	}
	s.RowPack = *old
	if i.Path == path {
		return s, nil
	}
	info, err := os.Stat(i.Path)
	if err != nil {
		return s, err
	}
	s.PackBytes = info.Size()
	if !o.Replace {
		return s, nil
	}
	if _, err := VerifyWeights(ctx, path); err != nil {
		return s, err
	}
	s.Removed = true
	return s, os.Remove(i.Path)
}

func writeRows(ctx context.Context, i Installation, path string, o SwapOptions, progress func(Progress)) error {
	p, err := pack.Open(i.Path)
	if err != nil {
		return err
	}
	err = pack.WriteRows(ctx, p, path, pack.RowOptions{GroupLayers: o.GroupLayers, Bits: o.Bits, Replace: true}, func(done, total int64) {
		progress(Progress{Step: "convert " + i.Name, Done: done, Total: total})
	})
	return errors.Join(err, p.Close())
}
