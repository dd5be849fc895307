package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/internal/doctor"
)

// newDoctor is dowse doctor: what is wrong with this machine.
func newDoctor(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is wrong with this machine, and what to do",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := app.NewReader(s.warn)
			if err != nil {
				return err
			}
			findings := doctor.Examine(cmd.Context(), a)
			if asJSON {
				err = writeJSON(s.out, findings)
			} else {
				t := newTable(s.out)
				for _, f := range findings {
					t.row(string(f.Level), f.Topic, oneLine(f.Detail))
				}
				err = t.flush()
			}
			for _, f := range findings {
				if f.Level == doctor.Broken {
					return errors.Join(err, fmt.Errorf("%s: %s", f.Topic, f.Detail))
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return cmd
}
