package tui

import (
	"cmp"
	"context"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// layersAhead is how far a reranking may be ahead of the screen before it
// waits: more layers than models have.
const layersAhead = 128

// layerFeed carries a reranking's layers from the searching goroutine to the
// event loop.
type layerFeed struct {
	generation int
	ended      <-chan struct{} // the screen stopped listening
	layers     chan engine.RerankLayer
	all        []engine.RerankLayer // owned by the search until it ends
}

func newLayerFeed(ctx context.Context, generation int) *layerFeed {
	return &layerFeed{generation: generation, ended: ctx.Done(), layers: make(chan engine.RerankLayer, layersAhead)}
}

// emit receives the search's events; the answer repeats those without a layer.
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

// close ends the feed with the search.
func (f *layerFeed) close() { close(f.layers) }

// receive waits for a layer and takes all that are ready. After the last it
// returns no message.
func (f *layerFeed) receive() tea.Msg {
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

// onLayers shows a running reranking. It reorders the list only where that is
// the estimate of the same query and the person has not moved in it.
func (m *model) onLayers(msg layersArrived) tea.Cmd {
	if msg.feed.generation != m.search.generation || m.search.cancel == nil {
		return nil // typed over, or answered already
	}
	m.machine.rerank.add(msg.feed.generation, msg.layers)
	if !m.options.Still && m.search.refine && !m.search.keep && !m.results.moved && m.answer.passages == nil {
		m.results.reorder(msg.layers[len(msg.layers)-1].Chunks)
	}
	return tea.Tick(redrawEvery, func(time.Time) tea.Msg { return msg.feed.receive() })
}

// reportProblem reports, once, why a search went by words alone, or why the reranker
// failed or was replaced.
func (m *model) reportProblem(stats *engine.Stats) tea.Cmd {
	why, r := stats.ByWords, stats.Rerank
	if r != nil {
		why = cmp.Or(why, r.Problem, r.Instead)
	}
	if why == m.complaint || why == "" && r == nil { // estimates have neither
		return nil
	}
	m.complaint = why
	if m.complaint == "" {
		return nil
	}
	return m.notify(m.complaint, true)
}
