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

// Job makes a reranker or an answerer of a decoder: how it is asked, and what was
// trained for that. It lies beside the decoder's pack, or refers to that of
// another model, so that one decoder serves several jobs.
type Job struct {
	Purpose
	Base        string `json:"base,omitempty"`        // the model whose pack it uses; "" for one of its own
	Fingerprint string `json:"fingerprint,omitempty"` // of the pack, in hex; "" for any
}

// Files of a job in the folder of a model. The adapter's are those of PEFT.
const (
	packFile       = "model.pack"
	jobFile        = "job.json"
	adapterFolder  = "adapter"
	adapterConfig  = "adapter_config.json"
	adapterWeights = "adapter_model.safetensors"
)

// adapter returns the folder of the job's adapter, in that of the model; "" if it
// has none.
func (j *Job) adapter(folder string) string {
	if j.AdapterSum == "" {
		return ""
	}
	return filepath.Join(folder, adapterFolder)
}

// readJob reads the job of the model in a folder; nil if it has none.
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
	if j.Role == "" { // all jobs were rerankers once
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

// install makes a model of the job in a folder, with its adapter, if it has one,
// from the folder staging. What was left there of another model goes.
func (j *Job) install(folder, staging string) error {
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	if from := j.adapter(staging); from != "" {
		if err := atomicfile.Rename(from, j.adapter(folder)); err != nil {
			return err
		}
	}
	if j.Role == "" { // a pack alone
		return nil
	}
	return j.write(folder)
}

// write writes the job into the folder of a model.
func (j *Job) write(folder string) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(folder, jobFile), data, 0o644)
}

// check compares the job with the fingerprint of a pack, and with the adapter in the
// folder of the model.
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
