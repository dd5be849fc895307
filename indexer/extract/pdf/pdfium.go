package pdf

import (
	_ "unsafe" // for go:linkname

	_ "github.com/klippa-app/go-pdfium/webassembly" // embeds PDFium
)

// pdfium is PDFium as WebAssembly with the interface of WASI. The module embeds it and exports no name of it, so the linker is
// asked for the variable; nothing else of the module stays in the program. go.sum pins the module, TestPDFiumIsTheTestedOne the bytes.
//
//go:linkname pdfium github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfium []byte
