package models

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dowse/models/pack"
	"dowse/models/wheel"
)

// Prompt names a way to ask a decoder for the relevance of a passage.
type Prompt string

// The prompts.
const (
	NoPrompt    Prompt = ""
	Qwen3Prompt Prompt = "qwen3" // of the Qwen3 rerankers: yes or no
	MxbaiPrompt Prompt = "mxbai" // of mxbai-rerank, second version: 1 or 0
	PlainPrompt Prompt = "plain" // query and passage, for an adapter with a head
)

// ParsePrompt finds a prompt by its name; "" is NoPrompt.
func ParsePrompt(name string) (Prompt, error) {
	switch p := Prompt(name); p {
	case NoPrompt, Qwen3Prompt, MxbaiPrompt, PlainPrompt:
		return p, nil
	}
	return NoPrompt, fmt.Errorf("there is no prompt %q; choose %s, %s or %s", name, Qwen3Prompt, MxbaiPrompt, PlainPrompt)
}

// usualPrompt is what a decoder published under a name is trained on. The files
// of these models do not tell them from others of their family, only the name
// does.
func usualPrompt(name string) Prompt {
	name = strings.ToLower(name)
	switch {
	case strings.Contains(name, "qwen3-reranker"):
		return Qwen3Prompt
	case strings.Contains(name, "mxbai-rerank"):
		return MxbaiPrompt
	}
	return NoPrompt
}

// Job makes a reranker of a decoder: how it is asked, and what was trained for
// that. It lies beside the decoder's pack, or refers to that of another model,
// so that one decoder serves several jobs.
type Job struct {
	Prompt      Prompt `json:"prompt"`
	Base        string `json:"base,omitempty"`        // the model whose pack it uses; "" for one of its own
	Fingerprint string `json:"fingerprint,omitempty"` // of the pack, in hex; "" for any
	AdapterSum  string `json:"adapter_sha256,omitempty"`
}

// Files of a job in the folder of a model. The adapter's are those of PEFT.
const (
	packFile       = "model.pack"
	jobFile        = "job.json"
	adapterFolder  = "adapter"
	adapterConfig  = "adapter_config.json"
	adapterWeights = "adapter_model.safetensors"
)

// adapter is the folder of the job's adapter, in that of the model; "" if it
// has none.
func (j *Job) adapter(folder string) string {
	if j.AdapterSum == "" {
		return ""
	}
	return filepath.Join(folder, adapterFolder)
}

// readJob reads the job of the model in a folder; nil if it has none.
func readJob(folder string) (*Job, error) {
	data, err := os.ReadFile(filepath.Join(folder, jobFile))
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
	if _, err := ParsePrompt(string(j.Prompt)); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w: add the model again", jobFile, err)
	}
	if j.Base != "" && checkName(j.Base) != nil {
		return nil, fmt.Errorf("%s is damaged: it names the model %q: add the model again", jobFile, j.Base)
	}
	return j, nil
}

// write writes the job into the folder of a model.
func (j *Job) write(folder string) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, jobFile)
	if err := os.WriteFile(path+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// check compares the job with a pack, and with the adapter in the folder of the
// model.
func (j *Job) check(p *pack.Pack, folder string) error {
	sum := p.Fingerprint()
	if j.Fingerprint != "" && j.Fingerprint != hex.EncodeToString(sum[:]) {
		return errors.New("it was made for another pack than the one that is there now: add the model again")
	}
	if j.AdapterSum == "" {
		return nil
	}
	if err := wheel.Check(filepath.Join(j.adapter(folder), adapterWeights), j.AdapterSum); err != nil {
		return fmt.Errorf("its adapter is damaged: %w: add the model again", err)
	}
	return nil
}
