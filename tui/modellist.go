package tui

import (
	"context"
	"strings"

	"dowse/engine"
)

// modelRow is the height of an entry: its name, what it does, an empty line.
const modelRow = 3

// modelList lists the models that match the filter. It covers the body.
type modelList struct {
	styles styles

	chooser
	loading bool
	problem string
	serial  int // of the newest request

	all     []engine.Model
	asks    engine.ModelAction // that a confirmation is asked for
	doing   string             // the change under way, "" of none
	cancel  context.CancelFunc // of it
	pulling string             // the model that is pulled, "" of none
	pull    engine.ModelPull
}

// set fills the list. The chosen model stays chosen, or else the next.
func (l *modelList) set(all []engine.Model) {
	old, _ := l.selected()
	chosen := l.chosen
	l.all, l.loading, l.problem = all, false, ""
	l.find(l.filter)
	l.chooseAgain(func(i int) bool { return all[i].Name == old.Name }, chosen)
}

// find shows the models with every word in their name, job or origin.
func (l *modelList) find(filter string) {
	l.filter = strings.TrimSpace(filter)
	l.match(filterWords(l.filter), len(l.all), func(i int) string {
		m := &l.all[i]
		return strings.Join([]string{m.Name, string(m.Job), m.Source, jobs[m.Job]}, "\n")
	})
	_, l.more = l.adds()
}

// adds returns the repository that is typed, OWNER/NAME, where the list has none of that name.
func (l *modelList) adds() (name string, ok bool) {
	owner, name, ok := strings.Cut(l.filter, "/")
	if !ok || owner == "" || name == "" || strings.ContainsAny(l.filter, " :~") || l.loading || l.problem != "" {
		return "", false
	}
	for i := range l.all {
		if strings.EqualFold(l.all[i].Name, l.filter) || strings.EqualFold(l.all[i].Source, l.filter) {
			return "", false
		}
	}
	return l.filter, true
}

func (l *modelList) selected() (engine.Model, bool) {
	i, ok := l.index()
	if !ok {
		return engine.Model{}, false
	}
	return l.all[i], true
}

// Render draws the entries in sight as h lines of w cells.
func (l *modelList) Render(w, h int) []string { return l.render(w, h, l.entry, l.emptyState) }

// jobs say what models do.
var jobs = map[engine.ModelJob]string{
	engine.Embeds: "finds by meaning", engine.Reranks: "ranks what was found", engine.Answers: "answers", engine.Reads: "marks what answers",
}

// entry draws a model's name, job and state, then how it runs.
func (l *modelList) entry(i, w int) []string {
	s := l.styles
	mark, name := s.mark(i == l.chosen)
	if i >= len(l.shown) {
		return []string{fit(mark+"  "+s.soft.Render("pull from the hub ")+name(sanitize(l.filter)), w), mark}
	}
	m := &l.all[l.shown[i]]
	facts := l.facts(m)
	return []string{
		spread(mark+"  "+name(fit(sanitize(m.Name), w-width(facts)-6)), facts+" ", w),
		fit(mark+"    "+l.below(m, i == l.chosen, w-6), w),
	}
}

// facts say what a model does, and whether it is there.
func (l *modelList) facts(m *engine.Model) string {
	s := l.styles
	job := s.soft.Render(jobs[m.Job] + " · ")
	switch {
	case m.Name == l.pulling:
		return job + s.accent.Render("pulling")
	case m.InUse:
		return job + s.accent.Render("in use")
	case m.Problem != "" && !m.Installed:
		return job + s.warn.Render("cannot be used")
	case m.Installed && m.Part && m.Bytes == 0:
		return job + s.soft.Render("a choice")
	case m.Installed:
		return job + s.soft.Render("installed")
	case m.Large:
		return job + s.faint.Render("too large here")
	case m.Advised:
		return job + s.accent.Render("fits, advised")
	}
	return job + s.faint.Render("to pull")
}

// below returns an entry's second line: a confirmation, how far a pull has come, what is wrong, or how the model runs.
func (l *modelList) below(m *engine.Model, chosen bool, w int) string {
	s := l.styles
	switch {
	case chosen && l.asking && l.asks == engine.UseModel:
		return s.problem.Render("build the index anew with it, beside the one that is searched? y does, other keys keep")
	case chosen && l.asking:
		return s.problem.Render("delete its " + size(m.Bytes) + " from this machine? y deletes, other keys keep")
	case m.Name == l.pulling:
		text := sanitize(l.pull.String())
		if l.pull.Total > 0 && w > 60 {
			text = bar(float64(l.pull.Done)/float64(l.pull.Total), 12, s.bar, s.barRest) + " " + s.soft.Render(text)
			return text
		}
		return s.soft.Render(text)
	case m.Problem != "":
		return s.warn.Render(fit(sanitize(m.Problem), w))
	}
	return s.faint.Render(fit(strings.Join(l.runs(m), " · "), w))
}

// runs say how a model runs here, and what it takes.
func (l *modelList) runs(m *engine.Model) (facts []string) {
	add := func(fact string) {
		if fact != "" {
			facts = append(facts, sanitize(fact))
		}
	}
	add(m.Speed())
	switch {
	case m.Download > 0:
		add(size(m.Download) + " to download")
		if m.Bytes > 0 {
			add(size(m.Bytes) + " in memory")
		}
	case m.Bytes > 0:
		add(size(m.Bytes))
	}
	add(m.Says)
	add(m.Source)
	add(m.License)
	return facts
}

// emptyState says why the list is empty.
func (l *modelList) emptyState() []paragraph {
	s := l.styles
	switch {
	case l.problem != "":
		return []paragraph{{"The models cannot be listed.", s.problem}, {}, {l.problem, s.text}}
	case l.loading:
		return []paragraph{{"Looking at the models, the memory and the disk" + ellipsis, s.soft}}
	}
	return []paragraph{
		{"No model is called so.", s.name}, {},
		{"Type OWNER/NAME to pull a model from the hub; dowse models add imports a file.", s.soft},
	}
}

func (l *modelList) status() string {
	switch {
	case l.pulling != "":
		return "pulling " + sanitize(l.pulling) + ellipsis
	case l.doing != "":
		return sanitize(l.doing) + ellipsis
	case l.loading || l.problem != "" || len(l.all) == 0:
		return ""
	}
	return l.count(len(l.all), "model")
}
