package chat

import (
	"strings"
	"time"
)

// functions are called by their name alone.
var functions = map[string]function{
	"raise_exception": {most: 1, least: 1, names: []string{"message"}, run: raise},
	"namespace":       {any: true, run: func(_ *evaluator, in []value) value { return &namespace{in[0].(dict)} }},
	"strftime_now":    {most: 1, least: 1, names: []string{"format"}, run: now},
	"range":           {most: 3, least: 1, run: count},
}

// raise is how a template refuses messages.
func raise(_ *evaluator, in []value) value { panic(fault(here, "%s", show(in[0]))) }

// now returns the time of rendering, by the directives of strftime.
func now(e *evaluator, in []value) value {
	format, ok := in[0].(text)
	if !ok {
		panic(fault(here, "%s as a format", kindOf(in[0])))
	}
	var out strings.Builder
	all := format.String()
	for i := 0; i < len(all); i++ {
		if all[i] != '%' {
			out.WriteByte(all[i])
			continue
		}
		if i++; i == len(all) {
			panic(fault(here, "a format that ends with %%"))
		}
		layout, ok := directives[all[i]]
		if !ok {
			panic(fault(here, "directive %%%c of a time is not supported", all[i]))
		}
		out.WriteString(e.now.Format(layout))
	}
	return written(out.String())
}

// directives maps those of strftime to layouts of time.Format. The locale is English,
// as models were trained with it.
var directives = map[byte]string{
	'd': "02", 'm': "01", 'b': "Jan", 'B': "January", 'y': "06", 'Y': "2006", 'a': "Mon", 'A': "Monday", 'j': "002",
	'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'F': time.DateOnly, 'T': time.TimeOnly, '%': "%",
}

// count is Python's range.
func count(_ *evaluator, in []value) value {
	from, to, step := int64(0), int64(0), int64(1)
	bounds := []*int64{&from, &to, &step}
	if in[1] == (missing{}) {
		bounds = []*int64{&to}
	}
	for i, b := range bounds {
		if in[i] == (missing{}) {
			break
		}
		n, ok := in[i].(int64)
		if !ok {
			panic(fault(here, "%s as the bound of a range", kindOf(in[i])))
		}
		*b = n
	}
	if step == 0 {
		panic(fault(here, "a range with steps of 0"))
	}
	list := []value{}
	for i := from; step > 0 && i < to || step < 0 && i > to; {
		if len(list) >= maxSteps/bytesOfStep {
			panic(fault(here, "a range without end"))
		}
		list = append(list, i)
		next := i + step
		if (next > i) != (step > 0) { // beyond what a number holds
			break
		}
		i = next
	}
	return list
}
