package tui

import (
	"cmp"
	"context"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// layersAhead is how many layers a reranking can be ahead of the screen before
// it waits: more than models have.
const layersAhead = 128

// layerFeed brings the layers of one search's reranking from the goroutine
// that searches to the event loop.
type layerFeed struct {
	generation int
	ended      <-chan struct{} // nobody listens any more
	layers     chan engine.RerankLayer
	all        []engine.RerankLayer // belongs to the search until it is done
}

func newLayerFeed(ctx context.Context, generation int) *layerFeed {
	return &layerFeed{generation: generation, ended: ctx.Done(), layers: make(chan engine.RerankLayer, layersAhead)}
}

// emit takes the events of the search. Those that are not layers say what the
// answer will say too.
func (f *layerFeed) emit(e engine.Event) {
	if e.Layer == nil {
		return
	}
	f.all = append(f.all, *e.Layer)
	select {
	case f.layers <- *e.Layer:
	case <-f.ended:
	}
}

// close says that the search is done.
func (f *layerFeed) close() { close(f.layers) }

// take returns a command: it waits for a layer and takes all that lie ready. After
// the last it ends without a message.
func (f *layerFeed) take() tea.Msg {
	layer, ok := <-f.layers
	if !ok {
		return nil
	}
	arrived := layersArrived{f, []engine.RerankLayer{layer}}
	for {
		select {
		case layer, ok = <-f.layers:
			if ok {
				arrived.layers = append(arrived.layers, layer)
				continue
			}
		default:
		}
		return arrived
	}
}

// onLayers shows what the reranking of the newest search has found out so far.
// What is on the screen moves only where it is the estimate of the same query
// and the person has chosen nothing in it; otherwise the order waits for the
// answer.
func (m *model) onLayers(msg layersArrived) tea.Cmd {
	if msg.feed.generation != m.search.generation || m.search.cancel == nil {
		return nil // typed over, or answered already
	}
	m.machine.rerank.add(msg.feed.generation, msg.layers)
	if m.search.refine && !m.search.keep && !m.results.moved && m.answer.passages == nil {
		m.results.reorder(msg.layers[len(msg.layers)-1].Chunks)
	}
	return tea.Tick(redrawEvery, func(time.Time) tea.Msg { return msg.feed.take() })
}

// complain tells, once, why a search went by words alone, or why the reranker did not take
// part, or another one did.
func (m *model) complain(stats *engine.Stats) tea.Cmd {
	why, r := stats.ByWords, stats.Rerank
	if r != nil {
		why = cmp.Or(why, r.Problem, r.Instead)
	}
	if why == m.complaint || why == "" && r == nil { // estimates have none
		return nil
	}
	m.complaint = why
	if m.complaint == "" {
		return nil
	}
	return m.say(m.complaint, true)
}
