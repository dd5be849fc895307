package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dowse/engine/kv/contexts"
	"dowse/engine/kv/disk"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// variant is dowse, or dowse without compression.
type variant struct {
	name  string
	whole bool // all chunks stay at 8 bits
}

// inUse is dowse as people get it.
var inUse = variant{name: ownPolicy}

// own is dowse's manager of conversations as a policy.
type own struct {
	variant
	manager     *contexts.Manager
	disk        *disk.Disk
	folder      string
	made        []*made
	session     *contexts.Session // of the call under way
	generations []int             // of conversations: how many were deleted in their place
}

// newOwn opens a manager in a folder that it makes.
func newOwn(v variant, d *transformer.Decoder, all []*made, folder string, set switchSetting) (*own, error) {
	folder = filepath.Join(folder, "conversations-"+strings.ReplaceAll(v.name, " ", "-"))
	kept, err := disk.Open(disk.Options{
		Folder: folder, Model: d.Fingerprint(), Layout: contexts.Layout(d.ConversationShape()),
		ReadRate: int64(set.rate * 1e6), WriteRate: int64(set.rate * 1e6),
	})
	if err != nil {
		return nil, err
	}
	o := contexts.Options{Decoder: d, Memory: memory.NewArbiter(set.memory), Disk: kept, Ratio: keptRatio}
	if v.whole {
		o.Ratio = 0
	}
	return &own{variant: v, manager: contexts.New(o), disk: kept, folder: folder, made: all, generations: make([]int, len(all))}, nil
}

// id names a conversation.
func (p *own) id(conversation int) string {
	return fmt.Sprintf("%d-%d", conversation, p.generations[conversation])
}

// bring implements policy. Tokens that are left to be computed with the question count as
// well.
func (p *own) bring(ctx context.Context, c call) (waited time.Duration, err error) {
	if p.session, err = p.manager.Open(ctx, p.id(c.conversation)); err != nil {
		return 0, err
	}
	there := p.session.Sequence().Len()
	if err := p.session.Reserve(c.after() - there); err != nil || there > c.before {
		return 0, err
	}
	return p.made[c.conversation].computing(there, c.before), nil
}

// extend implements policy.
func (p *own) extend(c call) error {
	s, m := p.session.Sequence(), p.made[c.conversation]
	if err := m.give(s.Cache, s.Len(), c.after()); err != nil {
		return err
	}
	p.weigh(s, m)
	p.session.Commit(s.Tokens())
	return nil
}

// weigh gives chunks the attention that they received when they were made.
func (*own) weigh(c *transformer.Sequence, m *made) {
	if !c.TracksDensity() {
		c.TrackDensity()
	}
	for i := range c.Chunks() {
		c.SetDensity(i, m.sequence.Density(i))
	}
}

// leave implements policy.
func (p *own) leave(ctx context.Context, _ call) error {
	session := p.session
	p.session = nil
	if err := errors.Join(session.Close(), p.manager.Drain(ctx)); err != nil {
		return err
	}
	if problem := p.manager.Stats().Problem; problem != "" {
		return errors.New(problem)
	}
	return nil
}

// remove implements policy.
func (p *own) remove(ctx context.Context, conversation int) error {
	_, err := p.manager.Delete(ctx, p.id(conversation))
	p.generations[conversation]++
	return err
}

// check implements policy.
func (p *own) check(c call) error {
	s := p.session.Sequence()
	if there := s.Len(); there > c.before || there <= c.before-chunkTokens && c.before > 0 {
		return fmt.Errorf("conversation %d came back with %d tokens, want %d", c.conversation, there, c.before)
	}
	if p.manager.Stats().Inexact > 0 {
		return nil // what is computed behind lowered chunks differs
	}
	return sameConversation(s.Cache, p.made[c.conversation])
}

// counts implements policy.
func (p *own) counts() moved {
	s := p.manager.Stats()
	return moved{Read: s.BytesRead, Written: s.BytesWritten, Computed: s.Computed}
}

// close implements policy.
func (p *own) close() error { return errors.Join(p.shut(), os.RemoveAll(p.folder)) }

// shut closes all, and leaves what is on the disk.
func (p *own) shut() error {
	var err error
	if p.session != nil {
		err = p.session.Close()
	}
	return errors.Join(err, p.manager.Close(), p.disk.Close())
}
