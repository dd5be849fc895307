package disk

// Repairs returns how many logs of another model Open removed, how many it cut, and how many
// chunks it dropped.
func (d *Disk) Repairs() [3]int {
	return [3]int{d.repairs.otherModel, d.repairs.cut, d.repairs.dropped}
}
