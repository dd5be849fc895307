package endpoint

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// writing is a reply in progress.
type writing struct {
	options  Options
	patience *patience
	begun    time.Time
	emit     func(string) error
	thought  thought
	secret   secret
	held     string // may become a piece of the key
	text     strings.Builder
	finished bool // by the server; figures may follow
	closing  bool // waiting for figures
	reply    Reply
}

// chunk is a piece of a reply, or a whole one.
type chunk struct {
	Choices []struct {
		Delta   content `json:"delta"`   // of a stream
		Message content `json:"message"` // of a whole reply
		Finish  string  `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt int `json:"prompt_tokens"`
		Reply  int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type content struct {
	Content string `json:"content"`
}

var (
	errCutOff  = errors.New("the connection ended in the middle of the answer")
	errWebPage = errors.New("it answered with a web page; its address usually ends in /v1")
)

// afterFinish bounds the wait for the server's counts after a complete reply,
// since some servers leave the connection open.
const afterFinish = 2 * time.Second

// read reads a reply in either form.
func (w *writing) read(body *watched) error {
	in := bufio.NewReader(body)
	first, err := firstByte(in)
	switch {
	case err != nil && drained(err):
		return errors.New("it ended the connection without an answer")
	case err != nil:
		return err
	case first == '<':
		return errWebPage
	case first == '{':
		return w.readWhole(in)
	}
	return w.readEvents(in, body)
}

// firstByte skips white space and peeks.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			return b, in.UnreadByte()
		}
	}
}

func (w *writing) readWhole(in *bufio.Reader) error {
	data, err := readAll(in, w.options.MaxEvent)
	if err != nil {
		if drained(err) {
			return errCutOff
		}
		return err
	}
	if err := w.take(data); err != nil {
		return err
	}
	return w.end()
}

// readEvents reads a streamed reply.
func (w *writing) readEvents(in *bufio.Reader, body *watched) error {
	events := newEventReader(in, w.options.MaxEvent)
	for {
		data, err := events.next()
		switch {
		case err != nil && w.finished:
			return w.end() // only figures are missing
		case err != nil && drained(err):
			return errCutOff
		case err != nil:
			return err
		case string(data) == "[DONE]":
			return w.end()
		}
		if err := w.take(data); err != nil {
			return err
		}
		if w.reply.Cut && !w.finished {
			return w.end() // it has no end
		}
		w.await(body)
	}
}

// await sets the allowed wait for the next piece.
func (w *writing) await(body *watched) {
	switch {
	case w.finished && !w.closing:
		w.closing, body.idle = true, 0
		w.patience.wait(afterFinish)
	case !w.finished && body.idle == 0:
		body.idle = w.options.Idle
		w.patience.wait(body.idle)
	}
}

// take handles a piece of the reply.
func (w *writing) take(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return notUnderstood("chat completion", data)
	}
	if message := errorMessage(c.Error, errorDepth); message != "" {
		return fmt.Errorf("it reports: %s", message)
	}
	if c.Usage != nil {
		w.reply.PromptTokens, w.reply.Tokens = max(c.Usage.Prompt, 0), max(c.Usage.Reply, 0)
	}
	if len(c.Choices) == 0 {
		return nil
	}
	choice := c.Choices[0]
	if choice.Finish != "" {
		w.finished = true
		w.reply.Cut = w.reply.Cut || choice.Finish == "length"
	}
	return w.clean(w.thought.add(choice.Delta.Content+choice.Message.Content), true)
}

// clean passes on text without the key.
func (w *writing) clean(text string, more bool) error {
	text, w.held = w.secret.hide(w.held+text, more)
	return w.hand(text)
}

// hand passes on text within MaxText.
func (w *writing) hand(text string) error {
	if room := w.options.MaxText - w.text.Len(); len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		text, w.reply.Cut = text[:room], true
	}
	if text == "" {
		return nil
	}
	if w.reply.First == 0 {
		w.reply.First = time.Since(w.begun)
	}
	w.text.WriteString(text)
	w.reply.Text = w.text.String()
	return w.emit(text)
}

// end passes on the held text.
func (w *writing) end() error { return w.clean(w.thought.end(), false) }
