package generate

import (
	"strings"

	"dowse/models/tokenizer"
)

// stream turns tokens into text and hands it on in whole characters.
type stream struct {
	decoder *tokenizer.Decoder
	emit    func(string) error
	emitted strings.Builder
}

func newStream(t *tokenizer.Tokenizer, emit func(string) error) *stream {
	return &stream{decoder: t.NewDecoder(), emit: emit}
}

// add takes one more token.
func (s *stream) add(id int32) error {
	// What a token completes is whole characters, or bytes that are none.
	text := strings.ToValidUTF8(s.decoder.Next(id), "\uFFFD")
	if text == "" {
		return nil
	}
	s.emitted.WriteString(text)
	return s.emit(text)
}
