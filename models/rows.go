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
