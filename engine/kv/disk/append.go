package disk

import (
	"errors"
	"fmt"
)

// Append adds tokens to a conversation, which is made where there is none. They are
// on the disk when it returns; after an error none of them is.
func (d *Disk) Append(name string, tokens []int32) error {
	d.work.Lock()
	defer d.work.Unlock()
	conv := d.conversations[name]
	if conv == nil {
		return d.begin(name, tokens)
	}
	if err := conv.log.append(appendTokens(nil, tokens), true); err != nil {
		return fmt.Errorf("tokens of a conversation: %w", err)
	}
	d.use(conv, conv.tokens+len(tokens))
	return nil
}

// begin makes a conversation.
func (d *Disk) begin(name string, tokens []int32) error {
	if name == "" {
		return fmt.Errorf("tokens of a conversation: %w: it has no name", ErrUnknown)
	}
	made := content{key: d.key, name: name, tokens: tokens}
	l, err := createLog(logPath(d.folder, name), made.encode())
	if err != nil {
		return fmt.Errorf("tokens of a conversation: %w", err)
	}
	conv := &conversation{name: name, log: l}
	d.use(conv, len(tokens))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conversations[name] = conv
	return nil
}

// Truncate keeps the first n tokens of a conversation and the complete chunks that lie
// within them. That is on the disk when it returns, and the log holds no others: on a full
// disk alone it still has those that were cut, until there is room to write it anew.
func (d *Disk) Truncate(name string, n int) error {
	d.work.Lock()
	defer d.work.Unlock()
	conv := d.conversations[name]
	if conv == nil {
		return ErrUnknown
	}
	if n < 0 || n > conv.tokens {
		return fmt.Errorf("keep %d of a conversation's %d tokens", n, conv.tokens)
	}
	if err := d.shorten(conv, n); err != nil {
		return fmt.Errorf("tokens of a conversation: %w", err)
	}
	d.use(conv, n)
	d.mu.Lock()
	loose := d.disown(conv, min(len(conv.chunks), n/d.layout.ChunkTokens))
	d.mu.Unlock()
	return d.free(loose)
}

// shorten writes the log of a conversation anew with its first n tokens, or where the disk
// is full appends that there are no others.
func (d *Disk) shorten(conv *conversation, n int) error {
	c, _, err := readContent(conv.log.path, conv.log.size, &d.layout)
	if err != nil {
		return err
	}
	c.truncate(n, &d.layout)
	l, err := createLog(conv.log.path, c.encode())
	switch {
	case err == nil:
		conv.log = l
	case errors.Is(err, ErrFull):
		return conv.log.append(appendTruncate(nil, n), true)
	default: // it may be the new one by now
		conv.log.broken = fmt.Errorf("%s could not be written anew: %w; it goes on after a restart", conv.log.path, err)
	}
	return err
}
