package indexer

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

// Where the system tells of no changes, or not of all, roots are looked at now and then: on network file systems, on
// file systems of programs (FUSE), beyond the limit on watched folders, and where a change was found that no event had
// told of. How often follows what a look costs.
const (
	pollShare = 100       // a look may take this part of the time between two
	pollMost  = time.Hour // between two looks, whatever they cost
)

// polling is which roots are looked at now and then, and when.
type polling struct {
	mu      sync.Mutex
	reasons map[string]string // by root: why
	deaf    map[string]bool   // roots where a change was found without an event
	every   time.Duration
	next    time.Time
}

// set notes why a root is looked at now and then; "" is not.
func (p *polling) set(root, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reasons == nil {
		p.reasons = map[string]string{}
	}
	if why == "" && p.deaf[root] {
		why = "changes were found that the system did not tell of"
	}
	if delete(p.reasons, root); why != "" {
		p.reasons[root] = why
	}
}

// keep forgets the roots that are none any more, or are not looked at.
func (p *polling) keep(roots []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.reasons, func(root, _ string) bool { return !slices.Contains(roots, root) })
}

// noteDeaf notes that a change was found of which no event told.
func (p *polling) noteDeaf(root string) {
	p.mu.Lock()
	if p.deaf == nil {
		p.deaf = map[string]bool{}
	}
	p.deaf[root] = true
	p.mu.Unlock()
	p.set(root, "")
}

// due returns the roots to look at now.
func (p *polling) due(now time.Time) (roots []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.reasons) == 0 || now.Add(rescanEvery/2).Before(p.next) { // the tick that is next to it is taken
		return nil
	}
	for root := range p.reasons {
		roots = append(roots, root)
	}
	p.next = now.Add(max(p.every, rescanEvery)) // unless the look says otherwise
	return roots
}

// took notes what a look cost.
func (p *polling) took(d time.Duration, least time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.every = min(max(least, d*pollShare), pollMost)
	p.next = time.Now().Add(p.every)
}

// Polled says why changes below a root are looked for now and then, and how often; "" where they are seen at once.
func (ix *Indexer) Polled(root string) string {
	p := &ix.polling
	p.mu.Lock()
	defer p.mu.Unlock()
	why := p.reasons[root]
	if why == "" {
		return ""
	}
	every := max(p.every, ix.rescanAfter).Round(time.Second)
	return fmt.Sprintf("%s, so that changes are looked for every %s", why, spanText(every))
}

// spanText is a time for people.
func spanText(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%s seconds", humanize.Comma(int64(d.Seconds())))
	}
	return fmt.Sprintf("%.0f minutes", d.Minutes())
}
