package models

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
	"dowse/models/internal/smallfile"
	"dowse/models/wheel"
)

// Job makes a decoder a reranker or an answerer. It lies beside its pack or
// refers to another model's, so that one decoder serves several jobs.
type Job struct {
	Purpose
	Base        string `json:"base,omitempty"`        // the model with the pack; "": its own
	Fingerprint string `json:"fingerprint,omitempty"` // of the pack, hex; "": any
}

// Files of a job in a model's folder; the adapter's are PEFT's.
const (
	packFile       = "model.pack"
	staticFile     = "static.table"
	jobFile        = "job.json"
	adapterFolder  = "adapter"
	adapterConfig  = "adapter_config.json"
	adapterWeights = "adapter_model.safetensors"
)

// adapter returns the job's adapter folder, or "".
func (j *Job) adapter(folder string) string {
	if j.AdapterSum == "" {
		return ""
	}
	return filepath.Join(folder, adapterFolder)
}

// readJob reads a folder's job; nil if it has none.
func readJob(folder string) (*Job, error) {
	data, err := smallfile.Read(filepath.Join(folder, jobFile), smallfile.Job)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j := &Job{}
	if err := json.Unmarshal(data, j); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w: add the model again", jobFile, err)
	}
	if j.Role == "" { // once all jobs were rerankers
		j.Role = Reranker
	}
	if err := j.Purpose.check(); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w: add the model again", jobFile, err)
	}
	if j.Base != "" && checkAnyName(j.Base) != nil {
		return nil, fmt.Errorf("%s is damaged: it names the model %q: add the model again", jobFile, j.Base)
	}
	return j, nil
}

// install moves the job and its adapter from staging into a folder, and removes
// remains of another model.
func (j *Job) install(folder, staging string) error {
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	if from := j.adapter(staging); from != "" {
		if err := atomicfile.Rename(from, j.adapter(folder)); err != nil {
			return err
		}
	}
	if j.Role == "" { // only a pack
		return nil
	}
	return j.write(folder)
}

func (j *Job) write(folder string) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(folder, jobFile), data, 0o644)
}

// check compares the job with a pack's fingerprint and with its adapter.
func (j *Job) check(sum [32]byte, folder string) error {
	if j.Fingerprint != "" && j.Fingerprint != hex.EncodeToString(sum[:]) {
		return errors.New("it was made for another pack than the one that is there now: add the model again")
	}
	if j.AdapterSum == "" {
		return nil
	}
	err := wheel.Check(filepath.Join(j.adapter(folder), adapterWeights), j.AdapterSum)
	if errors.Is(err, wheel.ErrChecksum) {
		return fmt.Errorf("its adapter is damaged: %s is not as it was added: add the model again", adapterWeights)
	}
	if err != nil {
		return fmt.Errorf("its adapter is damaged: %w: add the model again", err)
	}
	return nil
}
