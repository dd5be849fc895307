package chat

import "fmt"

// Error is a fault of a template.
type Error struct {
	Line   int
	Reason string

	unsupported bool // the template may be right, but this package lacks what it uses
}

// Error returns line and reason.
func (e *Error) Error() string { return fmt.Sprintf("chat template, line %d: %s", e.Line, e.Reason) }

// here stands for the line that is evaluated, in a fault of what knows no lines.
const here = 0

// fault is what ends parsing and rendering: it is panicked with, and caught at the edge
// of the package, so that what lies between reads like the grammar.
func fault(line int, format string, arguments ...any) *Error {
	return &Error{Line: line, Reason: fmt.Sprintf(format, arguments...)}
}

// catch turns the fault that a function ends with into its error. line, unless nil, is
// that of a fault which knows none.
func catch(err *error, line *int) {
	cause := recover()
	told, ok := cause.(*Error)
	if !ok && cause != nil {
		panic(cause)
	}
	if ok {
		if told.Line == here && line != nil {
			told.Line = *line
		}
		*err = told
	}
}
