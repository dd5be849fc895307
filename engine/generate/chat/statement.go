package chat

import (
	"slices"
	"time"
)

const (
	// maxSteps bounds what a template may do: nodes evaluated, plus bytes handled
	// divided by bytesOfStep.
	maxSteps    = 2 << 20
	bytesOfStep = 16
)

// statement is a part of a template that is run.
type statement interface {
	// run reports whether it ended with a break, which the loop around it takes.
	run(e *evaluator) (broken bool)
}

// evaluator is a rendering under way.
type evaluator struct {
	scope *scope
	out   *builder
	steps int
	line  int // reported for a fault without a line of its own
	now   time.Time
}

// scope is the variables of a template, or of one round of a loop.
type scope struct {
	vars  map[string]value
	outer *scope
}

func (s *scope) get(name string) value {
	for ; s != nil; s = s.outer {
		if v, ok := s.vars[name]; ok {
			return v
		}
	}
	return undefined{name}
}

// charge counts a step that handles a number of bytes.
func (e *evaluator) charge(line, bytes int) {
	if e.steps += 1 + bytes/bytesOfStep; e.steps > maxSteps {
		panic(fault(line, "it takes too long; is it a loop without end?"))
	}
}

// chargeText counts a string or a list that was made.
func (e *evaluator) chargeText(line int, v value) {
	switch v := v.(type) {
	case text:
		e.charge(line, v.size())
	case []value:
		e.charge(line, bytesOfStep*len(v))
	default:
		e.charge(line, 0)
	}
}

// run runs statements up to a break.
func (e *evaluator) run(body []statement) (broken bool) {
	return slices.ContainsFunc(body, func(s statement) bool { return s.run(e) })
}

// output prints a value.
type output struct {
	line  int
	value expression
}

func (s *output) run(e *evaluator) bool {
	v := s.value.eval(e)
	e.line = s.line
	t := show(v)
	e.charge(s.line, t.size())
	e.out.add(t)
	return false
}

// group is a list of statements.
type group struct{ body []statement }

func (s *group) run(e *evaluator) bool { return e.run(s.body) }

// branch is if, elif and else.
type branch struct {
	line            int
	condition       expression
	then, otherwise []statement
}

func (s *branch) run(e *evaluator) bool {
	e.charge(s.line, 0)
	if truth(s.condition.eval(e)) {
		return e.run(s.then)
	}
	return e.run(s.otherwise)
}

// jump is break.
type jump struct{}

func (jump) run(*evaluator) bool { return true }

// assignment is set: of a name, of a field of a namespace, or of what a block
// prints.
type assignment struct {
	line        int
	name, field string
	value       expression
	body        []statement
	block       bool
}

func (s *assignment) run(e *evaluator) (broken bool) {
	var v value
	if s.block {
		if v, broken = e.printed(s.body); broken {
			return true
		}
	} else {
		v = s.value.eval(e)
	}
	if s.field == "" {
		e.scope.vars[s.name] = v
		e.charge(s.line, 0)
		return false
	}
	n, ok := e.scope.get(s.name).(*namespace)
	if !ok {
		panic(fault(s.line, "%s is no namespace, its fields cannot be set", s.name))
	}
	n.fields[s.field] = v
	e.charge(s.line, 0)
	return false
}

// printed returns what a body prints, unless it ends with a break.
func (e *evaluator) printed(body []statement) (v value, broken bool) {
	outer := e.out
	e.out = &builder{}
	broken = e.inner(body, map[string]value{})
	v, e.out = e.out.text(), outer
	return v, broken
}

// inner runs a body in a scope of its own.
func (e *evaluator) inner(body []statement, vars map[string]value) (broken bool) {
	e.scope = &scope{vars: vars, outer: e.scope}
	broken = e.run(body)
	e.scope = e.scope.outer
	return broken
}

// bytesOfRound is the charge for a round of a loop, most of it for its variables.
const bytesOfRound = 16 * bytesOfStep

// loop is for.
type loop struct {
	line   int
	target string
	over   expression
	body   []statement
}

func (s *loop) run(e *evaluator) (broken bool) {
	v := s.over.eval(e)
	e.line = s.line
	items := elements(v)
	for i := range items {
		e.charge(s.line, bytesOfRound)
		if e.inner(s.body, map[string]value{s.target: items[i], "loop": round(items, i)}) {
			return false
		}
	}
	return false
}

// round returns the variable loop.
func round(items []value, i int) dict {
	n := len(items)
	d := dict{
		"index": int64(i + 1), "index0": int64(i), "revindex": int64(n - i), "revindex0": int64(n - i - 1),
		"first": i == 0, "last": i == n-1, "length": int64(n),
	}
	if i > 0 {
		d["previtem"] = items[i-1]
	}
	if i < n-1 {
		d["nextitem"] = items[i+1]
	}
	return d
}
