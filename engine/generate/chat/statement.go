package chat

import (
	"errors"
	"fmt"
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
	run(e *evaluator) error
}

// evaluator is a rendering under way.
type evaluator struct {
	scope *scope
	out   *builder
	steps int
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
func (e *evaluator) charge(line, bytes int) error {
	if e.steps += 1 + bytes/bytesOfStep; e.steps > maxSteps {
		return &Error{Line: line, Reason: "it takes too long; is it a loop without end?"}
	}
	return nil
}

// chargeText counts a string that was made.
func (e *evaluator) chargeText(line int, v value) error {
	if t, ok := v.(text); ok {
		return e.charge(line, t.size())
	}
	if l, ok := v.([]value); ok {
		return e.charge(line, bytesOfStep*len(l))
	}
	return e.charge(line, 0)
}

// at gives an error its line, unless it has one.
func at(line int, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &Error{Line: line, Reason: err.Error()}
}

func (e *evaluator) run(body []statement) error {
	for _, s := range body {
		if err := s.run(e); err != nil {
			return err
		}
	}
	return nil
}

// output prints a value.
type output struct {
	line  int
	value expression
}

func (s *output) run(e *evaluator) error {
	v, err := s.value.eval(e)
	if err != nil {
		return err
	}
	t, err := show(v)
	if err != nil {
		return at(s.line, err)
	}
	if err := e.charge(s.line, t.size()); err != nil {
		return err
	}
	e.out.add(t)
	return nil
}

// group is a list of statements.
type group struct{ body []statement }

func (s *group) run(e *evaluator) error { return e.run(s.body) }

// branch is if, elif and else.
type branch struct {
	line            int
	condition       expression
	then, otherwise []statement
}

func (s *branch) run(e *evaluator) error {
	if err := e.charge(s.line, 0); err != nil {
		return err
	}
	v, err := s.condition.eval(e)
	if err != nil {
		return err
	}
	if truth(v) {
		return e.run(s.then)
	}
	return e.run(s.otherwise)
}

// jump is break.
type jump struct{}

// errBreak is caught by the loop that a break stands in.
var errBreak = errors.New("break")

func (jump) run(*evaluator) error { return errBreak }

// assignment is set: of a name, of a field of a namespace, or of what a block
// prints.
type assignment struct {
	line        int
	name, field string
	value       expression
	body        []statement
	block       bool
}

func (s *assignment) run(e *evaluator) error {
	v, err := s.assigned(e)
	if err != nil {
		return err
	}
	if s.field == "" {
		e.scope.vars[s.name] = v
		return e.charge(s.line, 0)
	}
	n, ok := e.scope.get(s.name).(*namespace)
	if !ok {
		return &Error{Line: s.line, Reason: fmt.Sprintf("%s is no namespace, its fields cannot be set", s.name)}
	}
	n.fields[s.field] = v
	return e.charge(s.line, 0)
}

func (s *assignment) assigned(e *evaluator) (value, error) {
	if !s.block {
		return s.value.eval(e)
	}
	outer := e.out
	e.out = &builder{}
	defer func() { e.out = outer }()
	if err := e.inner(s.body, nil); err != nil {
		return nil, err
	}
	return e.out.text(), nil
}

// inner runs a body in a scope of its own.
func (e *evaluator) inner(body []statement, vars map[string]value) error {
	if vars == nil {
		vars = map[string]value{}
	}
	e.scope = &scope{vars: vars, outer: e.scope}
	defer func() { e.scope = e.scope.outer }()
	return e.run(body)
}
