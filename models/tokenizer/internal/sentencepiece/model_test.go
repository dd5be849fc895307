package sentencepiece

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// message writes the fields of a protocol buffer.
type message []byte

func (m message) varint(number, value uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, number<<3|wireVarint), value)
}

func (m message) bytes(number uint64, value []byte) message {
	m = binary.AppendUvarint(binary.AppendUvarint(m, number<<3|wireBytes), uint64(len(value)))
	return append(m, value...)
}

func (m message) float(number uint64, value float32) message {
	return binary.LittleEndian.AppendUint32(binary.AppendUvarint(m, number<<3|wireFixed4), math.Float32bits(value))
}

func sample() []byte {
	minusOne := int64(-1)
	unknown := message{}.bytes(pieceText, []byte("<unk>")).varint(pieceType, Unknown)
	piece := message{}.bytes(pieceText, []byte("▁a")).float(pieceScore, -1.5)
	trainer := message{}.varint(trainerKind, uint64(BPE)).varint(trainerByteFallback, 1).varint(trainerEOS, uint64(minusOne)).float(99, 1)
	normalizer := message{}.bytes(normalizerCharsmap, []byte{1, 2}).varint(normalizerRemoveExtraSpace, 0)
	return message{}.bytes(fieldPieces, unknown).bytes(fieldPieces, piece).bytes(fieldTrainer, trainer).bytes(fieldNormalizer, normalizer)
}

func TestParse(t *testing.T) {
	m, err := Parse(sample())
	if err != nil {
		t.Fatal(err)
	}
	want := []Piece{{"<unk>", 0, Unknown}, {"▁a", -1.5, Normal}}
	if !slices.Equal(m.Pieces, want) {
		t.Errorf("pieces %v, want %v", m.Pieces, want)
	}
	if m.Kind != BPE || !m.ByteFallback || m.UnknownID != 0 || m.BOS != 1 || m.EOS != -1 || len(m.Charsmap) != 2 ||
		!m.AddPrefix || m.RemoveExtraSpace {
		t.Errorf("settings %+v", m)
	}
}

func TestParseCutShort(t *testing.T) {
	data := sample()
	accepted := 0
	for n := range data {
		if _, err := Parse(data[:n]); err == nil {
			accepted++
		}
	}
	if accepted > 3 { // after each whole field that follows a piece
		t.Errorf("%d of %d beginnings are accepted", accepted, len(data))
	}
}

func TestParseRealModel(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "..", "shared", "data", "models", "llama2-spm", "tokenizer.model"))
	if os.IsNotExist(err) {
		t.Skipf("the shared data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Pieces) != 32000 || m.Kind != BPE || !m.ByteFallback || m.BOS != 1 || m.EOS != 2 || m.Pieces[3].Type != Byte {
		t.Errorf("%d pieces, %+v", len(m.Pieces), m.Pieces[:4])
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample())
	f.Add([]byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Parse(data); err == nil && len(m.Pieces) == 0 {
			t.Error("a model without pieces is accepted")
		}
	})
}
