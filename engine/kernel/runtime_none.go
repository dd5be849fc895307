//go:build !cgo

package kernel

import (
	"errors"

	"dowse/models/pack"
)

// matrixRuntime is ONNX Runtime, which a build without cgo does not reach.
type matrixRuntime struct{ library string }

func newMatrixRuntime(string) *matrixRuntime { return &matrixRuntime{} }

var errNoRuntime = errors.New("this build has no cgo and cannot use ONNX Runtime")

func (r *matrixRuntime) load() error          { return errNoRuntime }
func (r *matrixRuntime) state() (bool, error) { return false, nil }
func (r *matrixRuntime) close() error         { return nil }

func (r *matrixRuntime) multiply([]int32, []uint8, int, *pack.Linear) error { return errNoRuntime }
