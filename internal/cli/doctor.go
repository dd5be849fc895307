package cli

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// newDoctor is dowse doctor: what is wrong with this machine.
func newDoctor(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is wrong with this machine, and what to do",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			findings := a.Doctor(cmd.Context())
			if asJSON {
				err = writeJSON(s.out, findings)
			} else {
				t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
				for _, f := range findings {
					fmt.Fprintf(t, "%s\t%s\t%s\n", f.Level, f.Topic, printable(f.Detail))
				}
				err = t.Flush()
			}
			for _, f := range findings {
				if f.Level == app.Broken {
					return errors.Join(err, fmt.Errorf("%s: %s", f.Topic, f.Detail))
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return cmd
}
