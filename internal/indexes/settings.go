package indexes

import (
	"fmt"
	"os"
	"reflect"

	"dowse/engine"
	"dowse/internal/config"
)

// tellSettings says to who has files indexed that the settings by which they are read were changed after this process
// began, which goes on with those that it has: what extract.secrets = false is to erase would stay without a word.
func (o *Owner) tellSettings(emit func(engine.Event)) {
	if emit == nil {
		return
	}
	now, err := config.Load(o.opener.Home.ConfigFile())
	was := o.opener.Config
	if err != nil || now.Hidden == was.Hidden && now.MaxFile == was.MaxFile && reflect.DeepEqual(now.Extract, was.Extract) {
		return
	}
	emit(engine.Event{Problem: fmt.Sprintf("the settings were changed after process %d began, which does the indexing: it goes on with the earlier ones; end it and start it again", os.Getpid())})
}
