package tty

import (
	"os"
	"time"
)

// pollable: the console hands over keys, not bytes.
const pollable = false

func ready(*os.File, time.Duration) bool { return false }
