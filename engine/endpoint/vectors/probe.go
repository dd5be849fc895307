package vectors

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"dowse/engine/endpoint"
	"dowse/engine/fusion"
	"dowse/internal/atomicfile"
)

// Least cosines with the probe's vectors.
const (
	sameModel = .999 // of the server's model
	sameName  = .99  // of a local model, which computes with 8 bits
)

// probe is a model's vectors of some sentences, kept as a file. It is a
// fusion.Embedder of these sentences alone.
type probe struct {
	Model      string   `json:"model"`
	Query      string   `json:"query_prompt"`
	Passage    string   `json:"passage_prompt"`
	Dimensions int      `json:"dimensions,omitempty"` // requested
	Queries    int      `json:"queries"`              // number of queries, the first texts
	Texts      []string `json:"texts"`                // with their prompts
	Vectors    []byte   `json:"vectors"`              // float32 in little endian, of length 1

	vectors []float32
}

var _ fusion.Embedder = (*probe)(nil)

var errProbe = errors.New("it is damaged")

// readProbe reads a probe; nil if there is no file.
func readProbe(path string) (*probe, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	p := &probe{}
	if err == nil {
		if json.Unmarshal(data, p) != nil || !p.load() {
			err = errProbe
		}
	}
	if err != nil {
		return nil, fmt.Errorf("what is known of the server's model cannot be read from %s: %w; remove that file, and the index is built again", path, err)
	}
	return p, nil
}

// load decodes the vectors; false if they are malformed.
func (p *probe) load() bool {
	n := len(p.Texts)
	if n == 0 || p.Queries <= 0 || p.Queries >= n || len(p.Vectors) == 0 || len(p.Vectors)%(4*n) != 0 {
		return false
	}
	p.vectors = make([]float32, len(p.Vectors)/4)
	for i := range p.vectors {
		p.vectors[i] = math.Float32frombits(binary.LittleEndian.Uint32(p.Vectors[4*i:]))
	}
	for i := range p.Texts {
		if c := cosine(p.vector(i), p.vector(i)); !(math.Abs(c-1) < 1e-3) {
			return false
		}
	}
	return true
}

// write stores a probe; without over, an existing file gives fs.ErrExist.
func (p *probe) write(path string, over bool) error {
	data, err := json.Marshal(p)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return fmt.Errorf("what is known of the server's model cannot be kept: %w", err)
	}
	if over {
		err = atomicfile.WriteFile(path, data, 0o600)
	} else {
		err = atomicfile.WriteFile(path+fmt.Sprintf(".%d", os.Getpid()), data, 0o600)
		if err == nil {
			own := path + fmt.Sprintf(".%d", os.Getpid())
			err = errors.Join(os.Link(own, path), os.Remove(own))
		}
	}
	if err != nil {
		return fmt.Errorf("what is known of the server's model cannot be kept: %w", err)
	}
	return nil
}

func (p *probe) Dim() int { return len(p.vectors) / len(p.Texts) }

func (p *probe) vector(i int) []float32 {
	d := p.Dim()
	return p.vectors[i*d : (i+1)*d]
}

func (p *probe) EmbedQueries(_ context.Context, texts []string) ([]float32, error) {
	if len(texts) != p.Queries {
		return nil, errProbe
	}
	return p.vectors[:p.Queries*p.Dim()], nil
}

func (p *probe) EmbedDocuments(_ context.Context, texts []string) ([]float32, error) {
	if len(texts) != len(p.Texts)-p.Queries {
		return nil, errProbe
	}
	return p.vectors[p.Queries*p.Dim():], nil
}

// fingerprint identifies the vectors.
func (p *probe) fingerprint() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "endpoint 1 %q %q %q %d %d\n", p.Model, p.Query, p.Passage, p.Dimensions, room)
	sum.Write(p.Vectors)
	return hex.EncodeToString(sum.Sum(nil))
}

// agrees reports whether another probe has the same sentences and nearly the
// same vectors.
func (p *probe) agrees(other *probe, least float64) bool {
	if p.Dim() != other.Dim() || len(p.Texts) != len(other.Texts) {
		return false
	}
	for i, text := range p.Texts {
		if text != other.Texts[i] || !(cosine(p.vector(i), other.vector(i)) >= least) {
			return false
		}
	}
	return true
}

func (e *Embedder) measure(ctx context.Context) (*probe, error) {
	o := &e.options
	p := &probe{Model: o.Server.Model, Query: o.Query, Passage: o.Passage, Dimensions: o.Dimensions}
	m := &measuring{probe: p, ask: func(texts []string) ([][]float32, error) { return e.patient.Embed(ctx, texts, o.Dimensions) }}
	if _, err := fusion.MeasureScale(ctx, m); m.failed != nil {
		return nil, fmt.Errorf("the model that embeds is not known yet: %w", o.Server.Failed(m.failed))
	} else if err != nil && !p.load() {
		return nil, fmt.Errorf("the model that embeds is not known yet: %w", o.Server.Failed(err))
	}
	return p, nil
}

// firstProbe measures and stores a probe, or returns the one that another
// process stored meanwhile.
func (e *Embedder) firstProbe(ctx context.Context) (*probe, error) {
	p, err := e.measure(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.write(e.probePath(), false); !errors.Is(err, fs.ErrExist) {
		return p, err
	}
	return readProbe(e.probePath())
}

// measuring is a fusion.Embedder that fills a probe from the server.
type measuring struct {
	*probe
	ask    func(texts []string) ([][]float32, error)
	failed error
}

func (m *measuring) Dim() int { return len(m.Vectors) / 4 / max(len(m.Texts), 1) }

func (m *measuring) EmbedQueries(_ context.Context, texts []string) ([]float32, error) {
	m.Queries = len(texts)
	return m.embed(m.Query, texts)
}

func (m *measuring) EmbedDocuments(_ context.Context, texts []string) ([]float32, error) {
	all, err := m.embed(m.Passage, texts)
	if err == nil && !m.load() {
		m.failed = errors.New("it sent vectors of several lengths")
		err = m.failed
	}
	return all, err
}

func (m *measuring) embed(prompt string, texts []string) ([]float32, error) {
	with := make([]string, len(texts))
	for i, text := range texts {
		with[i] = prompt + text
	}
	vectors, err := m.ask(with[:min(len(with), endpoint.MaxBatch)])
	if err == nil && len(with) > endpoint.MaxBatch {
		err = errors.New("the probe is larger than a request")
	}
	var all []float32
	for _, v := range vectors {
		if err == nil {
			err = normalize(v)
		}
		all = append(all, v...)
	}
	if err != nil {
		m.failed = err
		return nil, err
	}
	m.Texts = append(m.Texts, with...)
	for _, x := range all {
		m.Vectors = binary.LittleEndian.AppendUint32(m.Vectors, math.Float32bits(x))
	}
	return all, nil
}
