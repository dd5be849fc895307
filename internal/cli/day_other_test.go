//go:build !linux

package cli

func (d *day) addDisk() { d.t.Log("no disk comes and goes on this system") }
func (d *day) mount()   {}
func (d *day) turnDisk() {
}
