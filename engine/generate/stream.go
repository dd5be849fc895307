package generate

import (
	"strings"

	"dowse/models/tokenizer"
)

// stream turns tokens into text and hands it on: whole characters, and nothing
// of a stop string.
type stream struct {
	decoder *tokenizer.Decoder
	stopper stopper
	emit    func(string) error
	emitted strings.Builder
}

func newStream(t *tokenizer.Tokenizer, stops []string, emit func(string) error) *stream {
	return &stream{decoder: t.NewDecoder(), stopper: stopper{stops: stops}, emit: emit}
}

// add takes one more token and reports whether a stop string ended the text.
func (s *stream) add(id int32) (stopped bool, err error) {
	// What a token completes is whole characters, or bytes that are none.
	text, stopped := s.stopper.add(strings.ToValidUTF8(s.decoder.Next(id), "\uFFFD"))
	return stopped, s.hand(text)
}

// end hands on what was held back, except an incomplete character. After a stop string
// nothing is held back.
func (s *stream) end() error {
	return s.hand(s.stopper.flush())
}

func (s *stream) hand(text string) error {
	if text == "" {
		return nil
	}
	s.emitted.WriteString(text)
	return s.emit(text)
}
