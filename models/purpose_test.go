package models

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// trainedFor returns the folder of an adapter with a dowse.json.
func trainedFor(t testing.TB, purpose string, heads bool) string {
	t.Helper()
	folder := adapterOf(t, heads)
	if err := os.WriteFile(filepath.Join(folder, purposeFile), []byte(purpose), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

const answering = `{"role": "answerer", "prompt": "passages", "decline_from": 0.75, "short_first": true, "passages": 4, "passage_tokens": 600}`

// One decoder answers as it is, answers as an adapter was trained to, and
// reranks by another one.
func TestAddByPurpose(t *testing.T) {
	caches := []string{t.TempDir()}
	var told []string
	for _, c := range []struct {
		Addition
		role Role
		want Purpose
	}{
		{Addition{Name: "base", Path: writeFolder(t, decoderFiles(t))}, Answerer, Purpose{}},
		{Addition{Name: "answers", Path: "base", Adapter: trainedFor(t, answering, false)}, Answerer,
			Purpose{Role: Answerer, Prompt: PassagesPrompt, DeclineFrom: 0.75, ShortFirst: true, Passages: 4, PassageTokens: 600}},
		{Addition{Name: "plainly", Path: "base", Adapter: adapterOf(t, false), Prompt: PassagesPrompt}, Answerer,
			Purpose{Role: Answerer, Prompt: PassagesPrompt}},
		{Addition{Name: "ranks", Path: "base", Adapter: trainedFor(t, `{"role": "reranker", "prompt": "plain", "prior": 12.5, "relevant_from": -2}`, true), Prompt: PlainPrompt}, Reranker,
			Purpose{Role: Reranker, Prompt: PlainPrompt, Prior: 12.5, RelevantFrom: -2}},
		{Addition{Name: "asks", Path: "base", Adapter: trainedFor(t, `{"role": "reranker", "prompt": "qwen3"}`, false)}, Reranker,
			Purpose{Role: Reranker, Prompt: "qwen3"}},
	} {
		c.Check = fits(&told)
		if err := Add(t.Context(), caches, c.Addition, nil); err != nil {
			t.Fatal(err)
		}
		i, err := Find(caches, c.Name)
		if err != nil || i.Role() != c.role {
			t.Fatalf("%s is %s, %v", c.Name, i.Role(), err)
		}
		if c.want == (Purpose{}) {
			if i.Job != nil || len(i.Files()) != 1 {
				t.Errorf("%s has the job %+v of %v", c.Name, i.Job, i.Files())
			}
			continue
		}
		c.want.AdapterSum = i.Job.AdapterSum
		memory, err := i.AdapterMemory()
		if i.Job.Purpose != c.want || i.Job.Base != "base" || len(i.Job.AdapterSum) != 64 || err != nil || memory < 1000 || memory%4 != 0 {
			t.Errorf("%s has the job %+v, want %+v; its adapter takes %d bytes, %v", c.Name, i.Job, c.want, memory, err)
		}
		for _, file := range i.Files() {
			if !exists(file) {
				t.Errorf("%s: there is no %s", c.Name, file)
			}
		}
		if len(i.Files()) != 4 || i.Files()[0] != i.Path {
			t.Errorf("%s is read from %v", c.Name, i.Files())
		}
	}
}

// What an adapter is said to be for, and cannot be, is refused in words.
func TestPurposeRefuses(t *testing.T) {
	decoder := writeFolder(t, decoderFiles(t))
	sum := strings.Repeat("0", 64)
	for _, c := range []struct {
		want, purpose string
		heads         bool
		prompt        Prompt
	}{
		{"dowse.json: unexpected", `{"role": `, false, ""},
		{"dowse.json: json: unknown field \"tune\"", `{"role": "answerer", "prompt": "passages", "tune": 1}`, false, ""},
		{"dowse.json: more than one object", `{"role": "answerer", "prompt": "passages"} {}`, false, ""},
		{`the role "" is none for an adapter; want reranker, reader or answerer`, `{"prompt": "passages"}`, false, ""},
		{`the role "embedder" is none for an adapter`, `{"role": "embedder", "prompt": "plain"}`, true, ""},
		{`there is no prompt "essay"`, `{"role": "answerer", "prompt": "essay"}`, false, ""},
		{`the prompt "" is none for an answerer`, `{"role": "answerer"}`, false, ""},
		{`the prompt "plain" is none for an answerer`, `{"role": "answerer", "prompt": "plain"}`, false, ""},
		{`the prompt "passages" is none for a reranker`, `{"role": "reranker", "prompt": "passages"}`, true, ""},
		{"decline_from is 1.5; a probability is from 0 to 1", `{"role": "answerer", "prompt": "passages", "decline_from": 1.5}`, false, ""},
		{"decline_from is -0.1; a probability", `{"role": "answerer", "prompt": "passages", "decline_from": -0.1}`, false, ""},
		{"want none below 0", `{"role": "answerer", "prompt": "passages", "passages": -1}`, false, ""},
		{"prior is -1; want 0 to 1000000", `{"role": "reranker", "prompt": "plain", "prior": -1}`, true, ""},
		{"relevant_from is -1e+07; want -1000000 to 1000000", `{"role": "reranker", "prompt": "plain", "relevant_from": -1e7}`, true, ""},
		{"prior and relevant_from are for rerankers", `{"role": "answerer", "prompt": "passages", "prior": 1}`, false, ""},
		{"prior and relevant_from are for rerankers", `{"role": "answerer", "prompt": "passages", "relevant_from": 1}`, false, ""},
		{"are for answerers", `{"role": "reranker", "prompt": "plain", "short_first": true}`, true, ""},
		{"is not the one that dowse.json was written with", `{"role": "answerer", "prompt": "passages", "adapter_sha256": "` + sum + `"}`, false, ""},
		{"says that its prompt is passages; leave out --prompt qwen3", answering, false, "qwen3"},
		{"an answerer has no use for one", answering, true, ""},
		{"--prompt plain is for models with a head", `{"role": "reranker", "prompt": "plain"}`, false, ""},
	} {
		cache := t.TempDir()
		var told []string
		a := Addition{Name: "x", Path: decoder, Adapter: trainedFor(t, c.purpose, c.heads), Prompt: c.prompt, Check: fits(&told)}
		if err := Add(t.Context(), []string{cache}, a, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.purpose, err, c.want)
		}
		if got := entries(t, cache); got != "" || len(told) > 0 {
			t.Errorf("%s: left %s, checked %v", c.purpose, got, told)
		}
	}
	var told []string
	alone := Addition{Name: "x", Path: decoder, Prompt: PassagesPrompt, Check: fits(&told)}
	if err := Add(t.Context(), []string{t.TempDir()}, alone, nil); err == nil || !strings.Contains(err.Error(), "without one a model answers as it is") {
		t.Errorf("an answerer's prompt without an adapter: %v", err)
	}
}

// A reader of an encoder is asked without a prompt, and adds nothing of what the
// others have.
func TestPurposeOfReaders(t *testing.T) {
	p, err := parsePurpose([]byte(`{"role": "reader", "max_tokens": 384, "confidence": {"bias": -1, "margin": 0.5, "shared": 2, "brief": -3, "words": 4, "sure_from": 0.6, "perhaps_from": 0.2}, "follow_ups": {"bias": -2, "sure_from": 0.5}}`))
	want := Purpose{Role: Reader, MaxTokens: 384, Confidence: Confidence{Bias: -1, Margin: 0.5, Shared: 2, Brief: -3, Words: 4, SureFrom: 0.6, PerhapsFrom: 0.2}, FollowUps: Confidence{Bias: -2, SureFrom: 0.5}}
	if err != nil || *p != want || p.String() != "sure from 0.6, perhaps from 0.2, at most 384 tokens" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = parsePurpose([]byte(`{"role": "reader"}`)); err != nil || p.Role != Reader || p.String() != "" {
		t.Errorf("%+v, %v", p, err)
	}
	for text, want := range map[string]string{
		`{"role": "reader", "prompt": "plain"}`:                                                           "a reader has no prompt",
		`{"role": "reader", "prompt": "passages"}`:                                                        "a reader has no prompt",
		`{"role": "reader", "prompt": "essay"}`:                                                           `there is no prompt "essay"`,
		`{"role": "reader", "decline_from": 0.6}`:                                                         "decline_from is for answerers",
		`{"role": "reader", "decline_from": "0.5"}`:                                                       "cannot unmarshal string",
		`{"role": "reader", "prior": 20}`:                                                                 "prior and relevant_from are for rerankers",
		`{"role": "reader", "max_tokens": 8}`:                                                             "max_tokens is 8; want 32 at least",
		`{"role": "answerer", "prompt": "passages", "max_tokens": 99}`:                                    "max_tokens is for rerankers and readers",
		`{"role": "reranker", "prompt": "plain", "confidence": {"bias": 1}}`:                              "confidence: it is for readers and answerers",
		`{"role": "reader", "follow_ups": {"assent": 1}}`:                                                 "follow_ups: support, assent, agreement, asked and written_from are for answerers",
		`{"role": "reader", "follow_ups": {"sure_from": 1.2}}`:                                            "follow_ups: want 0 <= perhaps_from",
		`{"role": "answerer", "prompt": "passages", "confidence": {"agreement": 1, "written_from": 2}}`:   "want 0 <= written_from <= 1",
		`{"role": "reader", "confidence": {"support": 1}}`:                                                "support, assent, agreement, asked and written_from are for answerers",
		`{"role": "answerer", "prompt": "passages", "decline_from": 0.5, "confidence": {"words": 1}}`:     "margin, shared, brief and words are for readers",
		`{"role": "answerer", "prompt": "passages", "confidence": {"assent": 1}}`:                         "wants decline_from",
		`{"role": "answerer", "prompt": "passages", "decline_from": 0.5, "confidence": {"agreement": 1}}`: "which has no decline_from",
		`{"role": "reader", "confidence": {"bias": 1e9}}`:                                                 "a weight is not within 1000 of 0",
		`{"role": "reader", "confidence": {"sure_from": 0.3, "perhaps_from": 0.4}}`:                       "want 0 <= perhaps_from <= sure_from <= 1",
		`{"role": "reader", "confidence": {"sure_from": 1.2}}`:                                            "want 0 <= perhaps_from <= sure_from <= 1",
		`{"role": "reranker", "prompt": "plain", "max_tokens": 8}`:                                        "max_tokens is 8; want 32 at least",
		`{"role": "reader", "prior": -1}`:                                                                 "prior is -1; want 0 to 1000000",
		`{"role": "reader", "short_first": true}`:                                                         "short_first, passages and passage_tokens are for answerers",
		`{"role": "reader", "passages": 3}`:                                                               "short_first, passages and passage_tokens are for answerers",
		`{"role": "reader", "passage_tokens": 200}`:                                                       "short_first, passages and passage_tokens are for answerers",
		`{"role": "reader", "passages": -3}`:                                                              "want none below 0",
		`{"role": "reader", "span": 3}`:                                                                   `unknown field "span"`,
		`{"role": "Reader"}`:                                                                              `the role "Reader" is none for an adapter; want reranker, reader or answerer`,
		`{"role": "reranker", "prompt": "plain", "decline_from": 0.5}`:                                    "decline_from is for answerers",
	} {
		if p, err := parsePurpose([]byte(text)); err == nil || !strings.Contains(err.Error(), "dowse.json: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q", text, p, err, want)
		}
	}
}

// The reader that dowse comes with is the only one that it uses.
func TestAddRefusesReaders(t *testing.T) {
	cache := t.TempDir()
	var told []string
	a := Addition{Name: "x", Path: writeFolder(t, decoderFiles(t)), Adapter: trainedFor(t, `{"role": "reader"}`, false), Check: fits(&told)}
	if err := Add(t.Context(), []string{cache}, a, nil); err == nil || !strings.Contains(err.Error(), "marks evidence; for that dowse uses "+DefaultReader+", and no other") {
		t.Errorf("error %v", err)
	}
	if got := entries(t, cache); got != "" || len(told) > 0 {
		t.Errorf("left %s, checked %v", got, told)
	}
}

// A job that was written before there were answerers is a reranker's.
func TestOldJobs(t *testing.T) {
	folder := t.TempDir()
	for text, want := range map[string]string{
		`{"prompt": "mxbai", "base": "b"}`:                              "",
		`{"role": "reader", "base": "b"}`:                               "",
		`{"role": "reader", "prompt": "mxbai"}`:                         "a reader has no prompt",
		`{"prompt": "passages"}`:                                        `the prompt "passages" is none for a reranker`,
		`{"role": "answerer", "prompt": "passages", "new": "x"}`:        "", // of a later version
		`{"role": "answerer", "prompt": "passages", "decline_from": 2}`: "decline_from is 2",
	} {
		if err := os.WriteFile(filepath.Join(folder, jobFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := readJob(folder)
		if want == "" && (err != nil || j.Role != Reader && j.Role != j.Prompt.role()) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v", text, j, err)
		}
	}
}

func TestPurposeInWords(t *testing.T) {
	for want, p := range map[string]Purpose{
		"prompt passages, declines from 0.895": {Prompt: PassagesPrompt, DeclineFrom: 0.8948501348495483},
		"prompt passages":                      {Prompt: PassagesPrompt},
		"prompt plain, prior 20":               {Prompt: PlainPrompt, Prior: 20},
		"prompt plain, at most 256 tokens":     {Prompt: PlainPrompt, MaxTokens: 256},
		"prompt plain, relevant from -1.5":     {Prompt: PlainPrompt, RelevantFrom: -1.5},
	} {
		if p.String() != want {
			t.Errorf("%q, want %q", p, want)
		}
	}
}

// Whatever is read as a purpose is a possible one, and is read again as it was
// written.
func FuzzParsePurpose(f *testing.F) {
	for _, s := range []string{answering, `{"role": "reranker", "prompt": "plain", "prior": 1e5}`, `{"role":"answerer","prompt":"passages","decline_from":1e-300}`, `{"role": "reader", "confidence": {"sure_from": 1}}`, "[]", "null", "", `{"role": 1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePurpose(data)
		if err != nil {
			return
		}
		if err := p.check(); err != nil || (p.Role == Reader) != (p.Prompt == NoPrompt) {
			t.Fatalf("%s: %+v, %v", data, p, err)
		}
		written, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parsePurpose(written); err != nil || *again != *p {
			t.Fatal(errors.Join(err, errors.New(string(written))))
		}
	})
}
