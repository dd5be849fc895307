package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
)

// maxScored is the most bytes of a score in a reply, with the text that some
// servers repeat.
const maxScored = 16 << 10

// rerankRequest is the body for Jina, Cohere, llama.cpp and vLLM.
type rerankRequest struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
}

// textsRequest is the body for text-embeddings-inference.
type textsRequest struct {
	Query    string   `json:"query"`
	Texts    []string `json:"texts"`
	Truncate bool     `json:"truncate"`
}

type scored struct {
	Index     *int     `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"`
}

// Rerank returns scores of documents for a query, in order, comparable within
// one reply: probabilities of some servers, logits of others.
func (c *Client) Rerank(ctx context.Context, query string, documents []string) ([]float64, error) {
	most := len(documents)*maxScored + maxErrorBody
	var data []byte
	var err error
	if !c.texts.Load() {
		data, err = c.ask(ctx, "rerank", rerankRequest{c.options.Model, query, documents, len(documents)}, most)
		if wantsTexts(err) {
			c.texts.Store(true)
		}
	}
	if c.texts.Load() {
		data, err = c.ask(ctx, "rerank", textsRequest{query, documents, true}, most)
	}
	if err != nil {
		return nil, err
	}
	scores, err := readScores(data, len(documents))
	return scores, c.conceal(err)
}

// wantsTexts reports whether a server misses text-embeddings-inference's field
// texts.
func wantsTexts(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && strings.Contains(status.body, "texts") &&
		(status.Status == http.StatusUnprocessableEntity || status.Status == http.StatusBadRequest)
}

// readScores reads a list of scores, or an object with one.
func readScores(data []byte, asked int) ([]float64, error) {
	const what = "list of scores"
	var list []scored
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		if json.Unmarshal(data, &list) != nil {
			return nil, notUnderstood(what, data)
		}
	} else {
		var reply struct {
			Results []scored `json:"results"`
			Data    []scored `json:"data"`
		}
		if err := decode(what, data, &reply); err != nil {
			return nil, err
		}
		if list = reply.Results; list == nil {
			list = reply.Data
		}
		if list == nil {
			return nil, notUnderstood(what, data)
		}
	}
	at, err := places(len(list), asked, func(i int) *int { return list[i].Index })
	if err != nil {
		return nil, err
	}
	scores := make([]float64, asked)
	for i, s := range list {
		value := s.Relevance
		if value == nil {
			value = s.Score
		}
		if value == nil || math.IsNaN(*value) || math.IsInf(*value, 0) {
			return nil, fmt.Errorf("it sent no score of the text number %d", at[i])
		}
		scores[at[i]] = *value
	}
	return scores, nil
}
