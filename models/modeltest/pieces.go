package modeltest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Piece is an entry of a SentencePiece vocabulary.
type Piece struct {
	Text  string // as tokenizer.json has it
	Score float32
	Type  int32 // as GGUF numbers it: 1 normal, 2 unknown, 3 control, 6 a byte
}

// pieceBytes is the number of pieces that stand for a byte.
const pieceBytes = 256

// Pieces reads a vocabulary in the format of llama2.c, in the order of its tokens:
// the unknown one, those that begin and end a text, all bytes, and the others.
func Pieces(path string) (pieces []Piece, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := bytes.NewReader(data)
	var longest int32
	if err := binary.Read(r, binary.LittleEndian, &longest); err != nil {
		return nil, err
	}
	special := []Piece{{"<unk>", 0, 2}, {"<s>", 0, 3}, {"</s>", 0, 3}}
	for id := 0; ; id++ {
		var entry struct {
			Score  float32
			Length int32
		}
		err := binary.Read(r, binary.LittleEndian, &entry)
		if errors.Is(err, io.EOF) {
			return pieces, nil
		}
		if err != nil {
			return nil, err
		}
		if entry.Length < 0 || entry.Length > longest {
			return nil, fmt.Errorf("token %d has %d bytes, the longest has %d", id, entry.Length, longest)
		}
		text := make([]byte, entry.Length)
		if _, err := io.ReadFull(r, text); err != nil {
			return nil, err
		}
		piece := Piece{strings.ReplaceAll(string(text), " ", "▁"), entry.Score, 1}
		switch {
		case id < len(special):
			piece = special[id]
		case id < len(special)+pieceBytes:
			piece.Type = 6
		}
		pieces = append(pieces, piece)
	}
}
