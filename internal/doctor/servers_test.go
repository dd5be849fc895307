package doctor

import (
	"strings"
	"testing"

	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/app"
	"dowse/internal/config"
)

func TestDoctorNamesTheServer(t *testing.T) {
	server := endpointtest.Start("")
	t.Cleanup(server.Close)
	host := strings.TrimSuffix(strings.TrimPrefix(server.URL, "http://"), "/v1")
	check := func(e config.Endpoint) Finding {
		a := &app.App{}
		a.Config = config.Config{Answerer: config.Extract, Endpoint: e}
		return of(a).checkAnswerer(t.Context())
	}
	for _, c := range []struct {
		settings config.Endpoint
		level    Level
		says     string
	}{
		{config.Endpoint{URL: server.URL, Model: endpointtest.Good}, Fine, "good at " + host + ", a server on this machine, gets your questions"},
		{config.Endpoint{URL: server.URL, Model: "other"}, Warning, "has no model other but good, slow"},
		{config.Endpoint{URL: server.URL, Model: endpointtest.Good, KeyName: "DOWSE_NO_SUCH_KEY"}, Warning, "DOWSE_NO_SUCH_KEY"},
		{config.Endpoint{URL: "http://127.0.0.1:1/v1", Model: "m"}, Warning, "no server answers at http://127.0.0.1:1"},
		{config.Endpoint{URL: "http://nowhere.invalid/v1", Model: "m", Remote: true}, Warning, "m at nowhere.invalid is not on this machine and gets your questions and the passages that answer them, unencrypted"},
	} {
		if f := check(c.settings); f.Level != c.level || !strings.Contains(f.Detail, c.says) {
			t.Errorf("%+v: %+v", c.settings, f)
		}
	}
}
