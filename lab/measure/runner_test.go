package measure

import (
	"dowse/internal/app"
)

// newRunner measures with the home and the settings that the environment names.
func newRunner() (*Runner, error) {
	a, err := app.New()
	if err != nil {
		return nil, err
	}
	return With(a), nil
}
