package pdf

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// helper is glyphs.wat, compiled by wat2wasm: a loop within the sandbox over functions of
// PDFium. Calling each of them from outside, seven times a character, takes ten times
// as long.
const helper = "" +
	"AGFzbQEAAAABKAZgAn9/AX9gAX8Bf2ACf38BfGADf39/AX9gBH9/f38Bf2AEf39/fwAC6AEIBnBkZml1bQZtZW1vcnkCAAEG" +
	"cGRmaXVtE0ZQREZUZXh0X0dldFVuaWNvZGUAAAZwZGZpdW0WRlBERlRleHRfR2V0VGV4dE9iamVjdAAABnBkZml1bRNGUERG" +
	"VGV4dE9ial9HZXRGb250AAEGcGRmaXVtFEZQREZUZXh0X0dldEZvbnRTaXplAAIGcGRmaXVtEkZQREZUZXh0X0dldE1hdHJp" +
	"eAADBnBkZml1bRhGUERGVGV4dF9HZXRMb29zZUNoYXJCb3gAAwZwZGZpdW0WRlBERlRleHRfR2V0Q2hhck9yaWdpbgAEAwIB" +
	"BQcKAQZnbHlwaHMABwpvAW0AAkADQCABIAJODQEgAyAAIAEQADYCACADIAAgARABEAI2AgQgAyAAIAEQAzkDCCAAIAEgA0EQ" +
	"ahAEGiAAIAEgA0EoahAFGiAAIAEgA0E4aiADQcAAahAGGiABQQFqIQEgA0HIAGohAwwACwsL"

// helperCode returns the helper's bytes.
func helperCode() ([]byte, error) { return base64.StdEncoding.DecodeString(helper) }

// link gives the instance the helper, which works in the instance's memory.
func (p *instance) link(runtime wazero.Runtime, helper wazero.CompiledModule) error {
	ctx := experimental.WithImportResolver(context.Background(), func(string) api.Module { return p.module })
	linked, err := runtime.InstantiateModule(ctx, helper, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return err
	}
	p.helper = linked
	if p.glyphs = linked.ExportedFunction("glyphs"); p.glyphs == nil {
		return errors.New("the helper has no glyphs")
	}
	p.buffer = p.alloc(batch * recordBytes)
	return p.err
}

// Records that the helper writes.
const (
	recordBytes = 72
	batch       = 1024 // characters at a time
)

// record is what PDFium knows of a character.
type record struct {
	unicode uint32
	font    uint32 // its address, 0 of none
	size    float64
	matrix  [4]float64
	box     [4]float64 // left, top, right, bottom
	origin  [2]float64
}

// records calls do with each character of a page, until it fails.
func (p *instance) records(text uint64, n int, do func(r *record)) {
	for from := 0; from < n && p.err == nil; from += batch {
		to := min(from+batch, n)
		p.do(p.glyphs, text, uint64(from), uint64(to), uint64(p.buffer))
		data, ok := p.memory.Read(p.buffer, uint32((to-from)*recordBytes))
		if p.err != nil || !ok {
			p.fail(errMemory)
			return
		}
		for ; len(data) > 0; data = data[recordBytes:] {
			r := parseRecord(data)
			do(&r)
		}
	}
}

func parseRecord(b []byte) (r record) {
	r.unicode, r.font = binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	r.size = finite(math.Float64frombits(binary.LittleEndian.Uint64(b[8:])))
	for i := range r.matrix {
		r.matrix[i] = finite(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[16+4*i:]))))
	}
	for i := range r.box {
		r.box[i] = finite(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[40+4*i:]))))
	}
	for i := range r.origin {
		r.origin[i] = finite(math.Float64frombits(binary.LittleEndian.Uint64(b[56+8*i:])))
	}
	return r
}
