package background

import (
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func init() { lipgloss.SetHasDarkBackground(true) }

// Dark asks the terminal that is the standard output. It must not be asked while
// something else reads from the terminal. One that does not tell is dark.
func Dark() bool { return termenv.NewOutput(os.Stdout).HasDarkBackground() }
