package transformer

import "time"

// longWait is how long a pass waits for the disk before somebody is told: what takes less
// is part of working.
const longWait = 2 * time.Second

// TellWaits has told called, while a pass of a model that does not fit waits for the disk,
// after some seconds and again each time as many have passed, with how many it were so
// far; nil for nobody. The goroutine of the pass calls it, so that it must not call the
// Decoder. Whoever has the Decoder sets it between passes.
func (d *Decoder) TellWaits(told func(waited time.Duration)) { d.waits.Tell(told) }
