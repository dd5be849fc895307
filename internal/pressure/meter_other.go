//go:build !linux

package pressure

// meter sees nothing: the battery and the processors are not told in files here.
type meter struct{}

func newMeter() *meter { return &meter{} }

func (*meter) read() reading { return reading{} }
