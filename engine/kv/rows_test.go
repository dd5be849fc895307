package kv

import (
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
)

// Keys and values are laid out without overlap, and parts of a span are what
// the tokens have.
func TestKeyValuesAreLaidOutApart(t *testing.T) {
	const tokens, heads, headDim = 5, 3, 7
	buffer, err := memory.NewBuffer(nil, "", tokens*RowBytes(heads, headDim))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := buffer.Free(); err != nil {
			t.Error(err)
		}
	}()
	s := RowsIn(buffer.Bytes(), tokens, heads, headDim, Level8)
	for token := range tokens {
		one := s.Span(token, token+1)
		for i := range one.K.Bytes {
			one.K.Bytes[i], one.V.Bytes[i] = int8(token), int8(10+token)
		}
		for i := range one.K.Scale {
			one.K.Scale[i], one.V.Scale[i] = kernel.BFloat16(100+token), kernel.BFloat16(200+token)
		}
	}
	whole := s.Span(0, tokens)
	for token := range tokens {
		one := Part(whole, token, token+1, heads)
		if one.Tokens != 1 || len(one.K.Bytes) != heads*headDim || len(one.V.Scale) != heads {
			t.Fatalf("token %d: %+v", token, one)
		}
		for i := range one.K.Bytes {
			if one.K.Bytes[i] != int8(token) || one.V.Bytes[i] != int8(10+token) {
				t.Fatalf("token %d: %+v", token, one)
			}
		}
		for i := range one.K.Scale {
			if one.K.Scale[i] != kernel.BFloat16(100+token) || one.V.Scale[i] != kernel.BFloat16(200+token) {
				t.Fatalf("token %d: %+v", token, one)
			}
		}
	}
}
