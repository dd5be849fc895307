package pdf

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The check of the runtime's own leaves the sandbox in every turn of a loop: reading took three times as long. This one costs a tenth.

// stopAt is the address of a word that is zero as long as an instance may run: below the first
// that a program of Emscripten's uses, 1024, and above those that a null pointer leads to.
const stopAt = 1016

// check is what each loop begins with: i32.const 0, i32.load align=2 offset=stopAt, if,
// unreachable, end. It takes nothing from the stack and leaves nothing there.
var check = append(append([]byte{0x41, 0, opLoad, 2}, binary.AppendUvarint(nil, stopAt)...), opIf, 0x40, 0, opEnd)

// interruptible returns a module whose loops end when the word at stopAt is no longer zero. It
// is an error where the module is damaged, or has an operation that is not known here.
func interruptible(module []byte) ([]byte, error) {
	const header = 8 // magic number and version
	if len(module) < header || string(module[:4]) != "\x00asm" {
		return nil, errors.New("it is no WebAssembly")
	}
	out := append(make([]byte, 0, len(module)+len(module)/8), module[:header]...)
	s := scanner{code: module, at: header}
	for s.at < len(module) && s.err == nil {
		id := s.byte()
		body := s.bytes(s.count())
		if id == sectionCode && s.err == nil {
			body, s.err = interruptibleCode(body)
		}
		out = append(append(out, id), sized(body)...)
	}
	return out, s.err
}

// sized is bytes behind their number.
func sized(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }

// interruptibleCode does so with the section of functions.
func interruptibleCode(section []byte) ([]byte, error) {
	s := scanner{code: section}
	n := s.count()
	out := binary.AppendUvarint(nil, uint64(n))
	for range n {
		function := s.bytes(s.count())
		if s.err != nil {
			break
		}
		f := scanner{code: function}
		out = append(out, sized(f.checked())...)
		s.err = f.err
	}
	return out, s.err
}

// checked returns a function with a check in each loop.
func (s *scanner) checked() (out []byte) {
	for range s.count() { // declarations of locals: how many, of what type
		s.number()
		s.byte()
	}
	copied := 0
	for s.at < len(s.code) && s.err == nil {
		op := s.byte()
		s.operands(op)
		if op == opLoop && s.err == nil {
			out = append(append(out, s.code[copied:s.at]...), check...)
			copied = s.at
		}
	}
	return append(out, s.code[copied:]...)
}

const sectionCode = 10

// Operations by their codes (WebAssembly Core Specification 2.0, 5.4).
const (
	opBlock, opLoop, opIf, opEnd   = 0x02, 0x03, 0x04, 0x0b
	opBr, opBrIf, opBrTable        = 0x0c, 0x0d, 0x0e
	opCall, opCallIndirect         = 0x10, 0x11
	opSelect                       = 0x1c // with types
	opLocalGet, opTableSet         = 0x20, 0x26
	opLoad, opStore                = 0x28, 0x3e // the first and the last with an address
	opMemorySize, opMemoryGrow     = 0x3f, 0x40
	opConst32, opConst64           = 0x41, 0x42
	opFloat32, opFloat64           = 0x43, 0x44
	opFirstPlain, opLastPlain      = 0x45, 0xc4 // numbers in, a number out
	opRefNull, opIsNull, opRefFunc = 0xd0, 0xd1, 0xd2
	opMore                         = 0xfc // the rest in a second code
)

// scanner reads a binary from front to back. Its first error stays.
type scanner struct {
	code []byte
	at   int
	err  error
}

// operands passes over what stands behind the code of an operation.
func (s *scanner) operands(op byte) {
	switch {
	case op >= opLocalGet && op <= opTableSet, op == opBlock, op == opLoop, op == opIf, op == opBr, op == opBrIf,
		op == opCall, op == opConst32, op == opConst64, op == opRefFunc:
		s.number()
	case op >= opLoad && op <= opStore, op == opCallIndirect:
		s.number()
		s.number()
	case op == opBrTable:
		for range s.count() + 1 {
			s.number()
		}
	case op == opMemorySize, op == opMemoryGrow, op == opRefNull:
		s.byte()
	case op == opSelect:
		s.bytes(s.count())
	case op == opFloat32:
		s.bytes(4)
	case op == opFloat64:
		s.bytes(8)
	case op == opMore:
		s.moreOperands()
	case op >= opFirstPlain && op <= opLastPlain, op <= 1, op == 0x05, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, op == opIsNull:
		// Without operands; those below 0x45: unreachable, nop, else, end, return, drop, select.
	default:
		s.fail(fmt.Errorf("it has operation %#x, which is not known", op))
	}
}

// moreOperands does so for operations of two codes: conversions, and those on memory and tables.
func (s *scanner) moreOperands() {
	operands := []int{0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1}
	op := s.number()
	if op >= len(operands) {
		s.fail(fmt.Errorf("it has operation %#x %d, which is not known", opMore, op))
		return
	}
	for range operands[op] {
		s.number()
	}
}

func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *scanner) byte() byte {
	if b := s.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// bytes returns the next n, nothing and an error where there are fewer.
func (s *scanner) bytes(n int) []byte {
	if n < 0 || n > len(s.code)-s.at {
		s.fail(errCut)
		s.at = len(s.code)
		return nil
	}
	b := s.code[s.at : s.at+n]
	s.at += n
	return b
}

// number passes over a number of variable length, and returns it where it is one without a
// sign.
func (s *scanner) number() int {
	value := 0
	for i := range binary.MaxVarintLen64 {
		b := s.byte()
		if value |= int(b&0x7f) << (7 * i); b < 0x80 {
			return value
		}
	}
	s.fail(errors.New("a number in it has no end"))
	return 0
}

// count reads how many follow, of a byte at least.
func (s *scanner) count() int {
	n := s.number()
	if n < 0 || n > len(s.code)-s.at {
		s.fail(errCut)
		return 0
	}
	return n
}

var errCut = errors.New("it is cut short")
