package askbench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Options say what Run measures.
type Options struct {
	Program   string // the dowse that is run
	Folder    string // what is indexed
	Questions []string

	pause time.Duration // between two looks at the watcher; 0 means aheadEvery
}

// Way is a way of asking.
type Way struct {
	Name string
	Args []string // beside the question
}

// Ways returns what is compared: the ranking without the reranker, the default,
// and the default with an answer.
func Ways() []Way {
	return []Way{
		{Name: "hybrid", Args: []string{"--mode", "hybrid"}},
		{Name: "default"},
		{Name: "default, answered", Args: []string{"--answer"}},
	}
}

// Run measures. progress is told of each process: the phase, how many it has had
// and how many it will.
func Run(ctx context.Context, opts Options, progress func(phase string, done, total int)) (report *Report, err error) {
	if len(opts.Questions) == 0 {
		return nil, errors.New("there is nothing to ask; name a folder with Markdown notes, or questions by --questions FILE")
	}
	home, err := os.MkdirTemp("", "dowse-ask-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	p := program{path: opts.Program, home: home, pause: cmp.Or(opts.pause, aheadEvery)}
	progress("indexing", 0, 1)
	if _, err := p.run(ctx, "index", opts.Folder); err != nil {
		return nil, err
	}
	r := &Report{Folder: opts.Folder, Questions: len(opts.Questions)}
	cold, err := p.askAll(ctx, opts.Questions, func(done, total int) { progress("asking cold", done, total) })
	if err != nil {
		return nil, err
	}
	stop, err := p.watch(ctx, opts.Folder, func(seconds int) {
		progress("waiting for the watcher to compute ahead", seconds, int(aheadPatience.Seconds()))
	})
	if err != nil {
		return nil, err
	}
	warm, err := p.askAll(ctx, opts.Questions, func(done, total int) { progress("asking beside the watcher", done, total) })
	if err = errors.Join(err, stop()); err != nil {
		return nil, err
	}
	for i, way := range Ways() {
		r.Rows = append(r.Rows, Row{Way: way.Name, Cold: timesOf(cold[i]), Warm: timesOf(warm[i])})
	}
	return r, nil
}

// asked is one question that a process answered.
type asked struct {
	wall  time.Duration
	reply reply
}

// askAll asks every question in every way. Ways take turns, another one first at
// each question, so that none always finds what the one before has warmed.
func (p program) askAll(ctx context.Context, questions []string, progress func(done, total int)) ([][]asked, error) {
	ways := Ways()
	all := make([][]asked, len(ways))
	for i, question := range questions {
		for turn := range ways {
			way := (i + turn) % len(ways)
			progress(i*len(ways)+turn, len(questions)*len(ways))
			a, err := p.ask(ctx, question, ways[way].Args)
			if err != nil {
				return nil, fmt.Errorf("%s, %q: %w", ways[way].Name, question, err)
			}
			all[way] = append(all[way], a)
		}
	}
	return all, nil
}

// timesOf sums answers up.
func timesOf(all []asked) Times {
	t := Times{}
	walls, searches := make([]float64, len(all)), make([]float64, len(all))
	for i, a := range all {
		walls[i], searches[i] = float64(a.wall.Microseconds())/1000, a.reply.Stats.Millis
		t.Recomputed += float64(a.reply.Stats.Recomputed) / float64(len(all))
		t.Active += a.reply.Stats.Rerank.Active
		t.Full += a.reply.Stats.Rerank.Full
		if len(a.reply.Results) > 0 {
			t.Found++
		}
	}
	slices.Sort(walls)
	slices.Sort(searches)
	t.P50, t.P95 = percentile(walls, .5), percentile(walls, .95)
	t.Search = percentile(searches, .5)
	return t
}

// percentile is a share of sorted values, by the nearest rank.
func percentile(sorted []float64, share float64) float64 {
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
