package indexer

import (
	"errors"
	"fmt"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/skip"
)

// maxFailed is how many failures of programs are told one by one: a program that cannot run
// fails on each file.
const maxFailed = 5

// failed counts the files that programs of the person's could not read.
type failed struct{ told, more int }

// note reports why a program did not read a file, and what becomes of the file. Missing programs are reported at
// the end, by its number, unless the file has words without it.
func (f *failed) note(emit func(engine.Event), p *prepared) {
	if p.lack == nil || p.left == skip.NoReader {
		return
	}
	if f.told++; f.told > maxFailed {
		f.more++
		return
	}
	becomes := "it is left out"
	switch {
	case p.left == "" && errors.Is(p.lack, document.ErrNoReader):
		becomes = "it is found by its own words alone until the program is there"
	case p.left == "":
		becomes = "it is found by its own words alone until it changes"
	}
	var left *skip.Error
	why := p.lack
	if errors.As(why, &left) {
		why = left.Err
	}
	emit(engine.Event{Problem: fmt.Sprintf("%s: %v; %s", p.Path, why, becomes)})
}

// end says how many failures were not told.
func (f *failed) end(emit func(engine.Event)) {
	if f.more > 0 {
		emit(engine.Event{Problem: fmt.Sprintf("files that programs could not read either: %d; dowse doctor shows which programs are set", f.more)})
	}
}
