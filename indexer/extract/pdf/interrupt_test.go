package pdf

import (
	"bytes"
	"testing"
)

// loopModule exports a function f that is a loop without an end, and has a page of memory.
var loopModule = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x04\x01\x60\x00\x00" + // a type: nothing in, nothing out
	"\x03\x02\x01\x00" + // a function of it
	"\x05\x03\x01\x00\x01" + // memory
	"\x07\x05\x01\x01f\x00\x00" + // its name
	"\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b") // loop, br 0, end, end

func TestInterruptible(t *testing.T) {
	got, err := interruptible(loopModule)
	if err != nil {
		t.Fatal(err)
	}
	loop := bytes.Index(loopModule, []byte("\x03\x40"))
	want := append([]byte(nil), loopModule[:loop+2]...)
	want = append(append(want, check...), loopModule[loop+2:]...)
	want[loop-2] += byte(len(check)) // the function
	want[loop-4] += byte(len(check)) // the section
	if !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

func TestInterruptibleRefuses(t *testing.T) {
	for n := range loopModule {
		// A module may end between two sections.
		if out, err := interruptible(loopModule[:n]); err == nil && !bytes.Equal(out, loopModule[:n]) {
			t.Errorf("the first %d bytes: %x", n, out)
		}
	}
	for _, op := range []string{"\x06", "\xc5", "\xfd", "\xfc\x12", "\xff"} {
		function := append([]byte{0}, op+"\x0b"...)
		section := append([]byte{1}, sized(function)...)
		if _, err := interruptible(append([]byte("\x00asm\x01\x00\x00\x00\x0a"), sized(section)...)); err == nil {
			t.Errorf("operation %x is let through", op)
		}
	}
}

// TestEveryLoopIsChecked: PDFium without its checks is PDFium as it was.
func TestEveryLoopIsChecked(t *testing.T) {
	got, err := interruptible(pdfium)
	if err != nil {
		t.Fatal(err)
	}
	n := bytes.Count(got, check)
	if bytes.Count(pdfium, check) > 0 || n < 1000 {
		t.Errorf("%d checks, want one in each loop of PDFium's, which has some thousands", n)
	}
	// What is left differs by the lengths of functions and of their section alone.
	if rest := len(bytes.ReplaceAll(got, check, nil)) - len(pdfium); rest < 0 || rest > 2*n+8 {
		t.Errorf("without its checks it has %d bytes more", rest)
	}
}
