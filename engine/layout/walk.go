package layout

import (
	"encoding/binary"
	"fmt"
	"math"

	"dowse/engine/leann"
	"dowse/store"
)

// How the graph of an index is used.
const (
	GraphAuto = "auto" // where a walk was measured to need fewer vectors than a scan
	GraphOn   = "on"
	GraphOff  = "off" // not kept either
)

// defaultPull is the pull of walks that nobody measured.
const defaultPull = 0.2

// metaWalk is where the index keeps what was measured of walks.
const metaWalk = "leann.walk"

// PutMeasured notes what searches of this index were measured to need.
func PutMeasured(tx *store.Tx, m leann.Measured) error {
	value := binary.AppendUvarint(nil, uint64(m.Scan))
	value = binary.AppendUvarint(value, uint64(m.Walk))
	value = binary.AppendUvarint(value, uint64(math.Round(100*float64(m.Pull))))
	return tx.PutMeta(metaWalk, binary.AppendUvarint(value, uint64(math.Round(100*m.Margin))))
}

// Measured reads what PutMeasured noted; the zero value where nothing was.
func Measured(tx *store.Tx) (m leann.Measured, err error) {
	value, err := tx.Meta(metaWalk)
	if err != nil || len(value) == 0 {
		return m, err
	}
	var fields [4]uint64
	for i := range fields {
		if i == 3 && len(value) == 0 {
			break // written before walks had a margin of their own
		}
		v, n := binary.Uvarint(value)
		if n <= 0 || v > 1<<20 {
			return m, fmt.Errorf("%w: what was measured of walks", store.ErrCorrupt)
		}
		fields[i], value = v, value[n:]
	}
	return leann.Measured{Scan: int(fields[0]), Walk: int(fields[1]), Pull: float32(fields[2]) / 100, Margin: float64(fields[3]) / 100}, nil
}

// Pull returns how far a search lets links move estimates, 0 where it scans.
func Pull(use string, m leann.Measured) float32 {
	switch {
	case use == GraphOff, use != GraphOn && !m.Walks():
		return 0
	case m.Walk == 0:
		return defaultPull
	}
	return m.Pull
}

// WalkReason says why searches walk or scan.
func WalkReason(use string, m leann.Measured) string {
	measured := fmt.Sprintf("%d vectors instead of %d were measured", m.Walk, m.Scan)
	if m.Walk == 0 {
		measured = "neither was measured"
	}
	switch {
	case use == GraphOff:
		return "searches scan: index.graph is off"
	case use == GraphOn:
		return "searches walk: index.graph is on; " + measured
	case m.Walks():
		return "searches walk: " + measured
	}
	return "searches scan: " + measured
}
