package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PressureFile is where the system says how long programs wait for memory (Linux's PSI):
// of this process's own control group if it has one, otherwise of the machine; "" where
// there is none.
func PressureFile() string {
	files := []string{"/proc/pressure/memory"}
	groups, _ := os.ReadFile("/proc/self/cgroup") // without it the machine's file counts
	for line := range strings.Lines(string(groups)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			files = append([]string{filepath.Join("/sys/fs/cgroup", path, "memory.pressure")}, files...)
		}
	}
	for _, file := range files {
		if _, err := readPressure(file); err == nil {
			return file
		}
	}
	return ""
}

// readPressure returns the percentage of the last ten seconds in which some program
// waited for memory.
func readPressure(file string) (float64, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for field := range bytes.FieldsSeq(data) { // those of "some" come first
		if value, ok := strings.CutPrefix(string(field), "avg10="); ok {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, strconv.ErrSyntax
}

// When pressure changes the budget. The percentages are a choice: at 10 programs wait for
// memory a second in ten, which a person notices; below 1 nobody does.
const (
	pressed      = 10.0
	relieved     = 1.0
	pressedFor   = 2  // readings in a row before a halving
	relievedFor  = 30 // readings in a row before a step back
	pressureRest = 5  // readings after a change, which the last ten seconds do not show yet
)

// pressureGauge says what follows from readings of the pressure.
type pressureGauge struct{ high, low, rest int }

// reading takes one and returns 1 where the budget should be halved, -1 where it should
// grow by a step, and otherwise 0.
func (g *pressureGauge) reading(percent float64) int {
	if g.rest > 0 {
		g.rest--
		return 0
	}
	switch {
	case percent >= pressed:
		g.high, g.low = g.high+1, 0
	case percent < relieved:
		g.high, g.low = 0, g.low+1
	default:
		g.high, g.low = 0, 0
	}
	switch {
	case g.high >= pressedFor:
		*g = pressureGauge{rest: pressureRest}
		return 1
	case g.low >= relievedFor:
		*g = pressureGauge{rest: pressureRest}
		return -1
	}
	return 0
}
