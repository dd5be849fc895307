package chat

import (
	"errors"
	"fmt"
)

// bytesOfRound is what a round of a loop costs, its variables above all.
const bytesOfRound = 16 * bytesOfStep

// loop is for, with what is done if there is nothing to go over.
type loop struct {
	line            int
	targets         []string
	over, filter    expression
	body, otherwise []statement
}

func (s *loop) run(e *evaluator) error {
	v, err := s.over.eval(e)
	if err != nil {
		return err
	}
	items, err := elements(v)
	if err != nil {
		return at(s.line, err)
	}
	if items, err = s.filtered(e, items); err != nil {
		return err
	}
	if len(items) == 0 {
		return e.run(s.otherwise)
	}
	for i := range items {
		if err := e.charge(s.line, bytesOfRound); err != nil {
			return err
		}
		vars, err := s.bind(items[i])
		if err != nil {
			return err
		}
		vars["loop"] = round(items, i)
		if err = e.inner(s.body, vars); errors.Is(err, errBreak) {
			return nil
		}
		if err != nil && !errors.Is(err, errContinue) {
			return err
		}
	}
	return nil
}

// filtered leaves out what the loop's if does not want.
func (s *loop) filtered(e *evaluator, items []value) ([]value, error) {
	if s.filter == nil {
		return items, nil
	}
	var kept []value
	for _, item := range items {
		vars, err := s.bind(item)
		if err != nil {
			return nil, err
		}
		e.scope = &scope{vars: vars, outer: e.scope}
		v, err := s.filter.eval(e)
		e.scope = e.scope.outer
		if err != nil {
			return nil, err
		}
		if truth(v) {
			kept = append(kept, item)
		}
	}
	return kept, nil
}

// bind gives the loop's names their values.
func (s *loop) bind(item value) (map[string]value, error) {
	if len(s.targets) == 1 {
		return map[string]value{s.targets[0]: item}, nil
	}
	parts, ok := item.([]value)
	if !ok || len(parts) != len(s.targets) {
		return nil, &Error{Line: s.line, Reason: fmt.Sprintf("%s for %d names", kindOf(item), len(s.targets))}
	}
	vars := map[string]value{}
	for i, target := range s.targets {
		vars[target] = parts[i]
	}
	return vars, nil
}

// round is the variable loop.
func round(items []value, i int) *dict {
	d, n := newDict(), len(items)
	for _, field := range []struct {
		name  string
		value value
	}{
		{"index", int64(i + 1)}, {"index0", int64(i)}, {"revindex", int64(n - i)}, {"revindex0", int64(n - i - 1)},
		{"first", i == 0}, {"last", i == n-1}, {"length", int64(n)},
	} {
		d.set(field.name, field.value)
	}
	if i > 0 {
		d.set("previtem", items[i-1])
	}
	if i < n-1 {
		d.set("nextitem", items[i+1])
	}
	return d
}
