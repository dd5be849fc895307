package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
)

// Pruning says how early a reranker may drop candidates, measured on judged
// questions outside its training. It is pruning.json in a carried model's
// folder:
//
//	{"model": "0123456789abcdef", "prior": 20, "thresholds": [
//	  {"candidates": 20, "k": 10, "sure": 3, "min_layers": 3, "tau": 0.4, ...}]}
type Pruning struct {
	// Model names the weights and Prior the worth of the earlier score that
	// thresholds were measured with; they are valid for these alone.
	Model      string      `json:"model"`
	Prior      float64     `json:"prior"`
	Thresholds []Threshold `json:"thresholds"`
}

// Threshold is for searches for about the best K of Candidates.
type Threshold struct {
	Candidates int     `json:"candidates"`
	K          int     `json:"k"`
	Sure       int     `json:"sure"`       // best results that must be right
	MinLayers  int     `json:"min_layers"` // before any candidate is dropped
	Tau        float64 `json:"tau"`        // dispersion of scores from which candidates may be dropped

	Traces    int     `json:"traces"`    // measured questions
	Agreement float64 `json:"agreement"` // with the full pass, 0 to 1
	Cost      float64 `json:"cost"`      // computed share of the full pass
}

const pruningFile = "pruning.json"

// BundledPruning returns a carried model's pruning; nil if not measured.
func BundledPruning(name string) (*Pruning, error) {
	if !Bundled(name) {
		return nil, nil
	}
	in, err := carried().Open("bundled/" + name + "/" + pruningFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(in)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	return parsePruning(data)
}

// parsePruning reads pruning.json and refuses unknown fields.
func parsePruning(data []byte) (*Pruning, error) {
	p := &Pruning{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(p)
	if err == nil && p.Model == "" {
		err = errors.New("it does not name the weights that it was measured with")
	}
	for _, t := range p.Thresholds {
		if err == nil {
			err = t.check()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pruningFile, err)
	}
	return p, nil
}

func (t *Threshold) check() error {
	switch {
	case t.K < 1 || t.Candidates <= t.K:
		return fmt.Errorf("%d of %d candidates wanted; want 1 at least, and fewer than there are", t.K, t.Candidates)
	case t.Sure < 1 || t.Sure > t.K:
		return fmt.Errorf("sure of %d of %d results", t.Sure, t.K)
	case t.MinLayers < 0 || !(t.Tau >= 0) || math.IsInf(t.Tau, 0):
		return fmt.Errorf("min_layers %d and tau %g; want none below 0", t.MinLayers, t.Tau)
	}
	return nil
}
