package sentencepiece

import (
	"bytes"
	"strings"
	"testing"
)

// TestVocabularyIsBounded: a file of empty pieces, two bytes each.
func TestVocabularyIsBounded(t *testing.T) {
	pieces := bytes.Repeat([]byte{fieldPieces<<3 | wireBytes, 0}, maxPieces+1)
	if _, err := Parse(pieces); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("error %v", err)
	}
	if m, err := Parse(pieces[:200]); err != nil || len(m.Pieces) != 100 {
		t.Errorf("%+v, %v", m, err)
	}
}
