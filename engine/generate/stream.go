package generate

import (
	"strings"

	"dowse/models/tokenizer"
)

// stream turns tokens into whole characters.
type stream struct {
	decoder *tokenizer.Decoder
	emit    func(string) error
	emitted strings.Builder
}

func newStream(t *tokenizer.Tokenizer, emit func(string) error) *stream {
	return &stream{decoder: t.NewDecoder(), emit: emit}
}

// add emits the characters that a token completes, and invalid bytes as U+FFFD.
func (s *stream) add(id int32) error {
	text := strings.ToValidUTF8(s.decoder.Next(id), "\uFFFD")
	if text == "" {
		return nil
	}
	s.emitted.WriteString(text)
	return s.emit(text)
}
