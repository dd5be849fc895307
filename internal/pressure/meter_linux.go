package pressure

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// meter reads the machine's battery and processors. Source: proc_stat(5), proc_pid_stat(5), the kernel's
// sysfs-class-power.
type meter struct{ all, busy, own uint64 } // ticks, as they were

func newMeter() *meter {
	m := &meter{}
	m.read()
	return m
}

// read is what was seen since the last call.
func (m *meter) read() reading {
	now := meter{}
	now.all, now.busy = machineTicks()
	now.own = ownTicks()
	before := *m
	*m = now
	r := reading{onBattery: onBattery()}
	if all := now.all - before.all; before.all > 0 && all > 0 {
		busy, own := float64(now.busy-before.busy), float64(now.own-before.own)
		r.others = max(0, busy-own) / float64(all)
	}
	return r
}

// machineTicks are those of all processors, and those in which they worked.
func machineTicks() (all, busy uint64) {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	line, _, _ := strings.Cut(string(data), "\n")
	for i, field := range strings.Fields(line) {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil || i > 8 { // guests count as users
			continue
		}
		all += n
		if i != 4 && i != 5 { // idle, and waiting for disks
			busy += n
		}
	}
	return all, busy
}

// ownTicks are those of this process.
func ownTicks() (n uint64) {
	data, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data)[strings.LastIndexByte(string(data), ')')+1:])
	for _, at := range []int{11, 12} { // utime and stime, the 14th and 15th of all
		if at < len(fields) {
			ticks, _ := strconv.ParseUint(fields[at], 10, 64)
			n += ticks
		}
	}
	return n
}

// onBattery reports whether a battery is being used up and no mains are there.
func onBattery() bool {
	supplies, _ := filepath.Glob("/sys/class/power_supply/*")
	uses := false
	for _, s := range supplies {
		switch value(s, "type") {
		case "Mains", "USB":
			if value(s, "online") == "1" {
				return false
			}
		case "Battery":
			uses = uses || value(s, "status") == "Discharging" && value(s, "scope") != "Device"
		}
	}
	return uses
}

func value(dir, name string) string {
	data, _ := os.ReadFile(filepath.Join(dir, name)) // what is not there is ""
	return strings.TrimSpace(string(data))
}
