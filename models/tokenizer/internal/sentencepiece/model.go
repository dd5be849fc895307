package sentencepiece

import (
	"errors"
	"fmt"
)

// Kind is the algorithm of a model.
type Kind int

// The kinds of TrainerSpec.ModelType.
const (
	Unigram Kind = 1
	BPE     Kind = 2
)

// The kinds of piece, as numbered in the file.
const (
	Normal      = 1
	Unknown     = 2
	Control     = 3
	UserDefined = 4
	Unused      = 5
	Byte        = 6
)

// Piece is one entry of the vocabulary; its id is its position.
type Piece struct {
	Text  string
	Score float32
	Type  int32
}

// Model is what a file says.
type Model struct {
	Pieces           []Piece
	Kind             Kind
	ByteFallback     bool
	UnknownID        int32 // -1: none, as for the other two
	BOS, EOS         int32
	Charsmap         []byte // empty: characters stay as they are
	AddPrefix        bool   // a space stands before the text
	RemoveExtraSpace bool
}

// Field numbers of ModelProto and the messages in it.
const (
	fieldPieces     = 1
	fieldTrainer    = 2
	fieldNormalizer = 3

	pieceText  = 1
	pieceScore = 2
	pieceType  = 3

	trainerKind         = 3
	trainerByteFallback = 35
	trainerUnknown      = 40
	trainerBOS          = 41
	trainerEOS          = 42

	normalizerCharsmap         = 2
	normalizerAddPrefix        = 3
	normalizerRemoveExtraSpace = 4
)

// maxPieces bounds a vocabulary: an empty piece takes two bytes of a file, and
// many times as much in memory. The largest in use has 260,000.
const maxPieces = 1 << 21

// Parse reads a file. The model refers to data.
func Parse(data []byte) (*Model, error) {
	m := &Model{Kind: Unigram, UnknownID: 0, BOS: 1, EOS: 2, AddPrefix: true, RemoveExtraSpace: true}
	err := eachField(data, func(f field) error {
		switch f.number {
		case fieldPieces:
			return m.piece(f.bytes)
		case fieldTrainer:
			return eachField(f.bytes, m.trainer)
		case fieldNormalizer:
			return eachField(f.bytes, m.normalizer)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read tokenizer.model: %w", err)
	}
	if len(m.Pieces) == 0 {
		return nil, errors.New("read tokenizer.model: it holds no vocabulary")
	}
	return m, nil
}

func (m *Model) piece(data []byte) error {
	if len(m.Pieces) == maxPieces {
		return fmt.Errorf("it has more than %d pieces", maxPieces)
	}
	p := Piece{Type: Normal}
	err := eachField(data, func(f field) error {
		switch f.number {
		case pieceText:
			p.Text = string(f.bytes)
		case pieceScore:
			p.Score = f.float()
		case pieceType:
			p.Type = int32(f.varint)
		}
		return nil
	})
	m.Pieces = append(m.Pieces, p)
	return err
}

func (m *Model) trainer(f field) error {
	switch f.number {
	case trainerKind:
		m.Kind = Kind(f.varint)
	case trainerByteFallback:
		m.ByteFallback = f.varint != 0
	case trainerUnknown:
		m.UnknownID = int32(f.varint)
	case trainerBOS:
		m.BOS = int32(f.varint)
	case trainerEOS:
		m.EOS = int32(f.varint)
	}
	return nil
}

func (m *Model) normalizer(f field) error {
	switch f.number {
	case normalizerCharsmap:
		m.Charsmap = f.bytes
	case normalizerAddPrefix:
		m.AddPrefix = f.varint != 0
	case normalizerRemoveExtraSpace:
		m.RemoveExtraSpace = f.varint != 0
	}
	return nil
}
