package endpoint

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// maxVector is the most bytes of a vector in a reply: 8,192 numbers as text.
const maxVector = 160 << 10

// MaxBatch is the texts that servers take in one request by default:
// text-embeddings-inference takes 32.
const MaxBatch = 32

// embedRequest is the body of a request for vectors.
type embedRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Format     string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// vector is numbers in JSON, or float32 bytes in base64.
type vector []float32

// UnmarshalJSON implements json.Unmarshaler.
func (v *vector) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(raw)%4 != 0 {
			return &badNumbers{"it sent a vector that is no base64 of float32"}
		}
		for at := 0; at < len(raw); at += 4 {
			*v = append(*v, math.Float32frombits(binary.LittleEndian.Uint32(raw[at:])))
		}
		return nil
	}
	if bytes.Contains(data, []byte("null")) { // how NaN is written where it may not be
		return &badNumbers{"it sent a vector with null in it"}
	}
	var numbers []float32
	if json.Unmarshal(data, &numbers) != nil {
		return &badNumbers{"it sent a vector that is no list of numbers"}
	}
	*v = numbers
	return nil
}

// Embed returns the vectors of texts in order, finite, of any norm and of one
// length: dimensions, unless that is 0. MaxBatch texts fit one request of every
// server.
func (c *Client) Embed(ctx context.Context, texts []string, dimensions int) ([][]float32, error) {
	request := embedRequest{Model: c.options.Model, Input: texts, Format: "float", Dimensions: dimensions}
	data, err := c.ask(ctx, "embeddings", request, len(texts)*maxVector+maxErrorBody)
	if err != nil {
		return nil, err
	}
	vectors, err := readVectors(data, len(texts), dimensions)
	return vectors, c.conceal(err)
}

func readVectors(data []byte, asked, dimensions int) ([][]float32, error) {
	var reply struct {
		Data []struct {
			Index     *int   `json:"index"`
			Embedding vector `json:"embedding"`
		} `json:"data"`
	}
	if err := decode("list of vectors", data, &reply); err != nil {
		return nil, err
	}
	if reply.Data == nil {
		return nil, notUnderstood("list of vectors", data)
	}
	at, err := places(len(reply.Data), asked, func(i int) *int { return reply.Data[i].Index })
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, asked)
	for i, d := range reply.Data {
		vectors[at[i]] = d.Embedding
	}
	for _, v := range vectors {
		switch {
		case len(v) == 0 || len(v) != len(vectors[0]):
			return nil, fmt.Errorf("it sent vectors of %d and of %d numbers", len(vectors[0]), len(v))
		case dimensions > 0 && len(v) != dimensions:
			return nil, fmt.Errorf("it sent vectors of %d numbers where %d were asked for", len(v), dimensions)
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, &badNumbers{"it sent a vector that is no numbers"}
			}
		}
	}
	return vectors, nil
}
