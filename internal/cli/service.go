package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/home"
	"dowse/internal/indexes"
	"dowse/internal/pressure"
	"dowse/internal/service"
)

// newService is dowse service: the watcher, run by the system.
func newService(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Have the system keep the index fresh, from when you log in",
		Long: `Service has the service manager of your system run dowse watch for you: as a systemd user unit on
Linux, as a launchd agent on macOS. It starts when you log in, and again when it failed; it has low priority
for processors and disks, and indexing waits while the machine runs on its battery or other programs keep
it busy (service.battery and service.load in the settings). Searches are answered meanwhile.

What it has to say is in a log of a few megabytes at most, which dowse service logs prints.`,
	}
	var asJSON bool
	status := &cobra.Command{
		Use: "status", Short: "Say whether it is installed, runs and waits", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serviceStatus(cmd.Context(), s, asJSON) },
	}
	status.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	var lines int
	logs := &cobra.Command{
		Use: "logs", Short: "Print the end of its log", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return serviceLogs(s, lines) },
	}
	logs.Flags().IntVarP(&lines, "lines", "n", 50, "how many lines to print; 0 for all that are kept")
	cmd.AddCommand(
		&cobra.Command{
			Use: "install", Short: "Install and start it; once more after dowse was moved or updated", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return installService(s) },
		},
		&cobra.Command{
			Use: "uninstall", Short: "Stop and remove it, with its log", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return uninstallService(s) },
		},
		status, logs,
		&cobra.Command{
			Use: "run", Short: "What the service manager runs", Args: cobra.NoArgs, Hidden: true,
			RunE: func(cmd *cobra.Command, _ []string) error { return runService(cmd.Context()) },
		},
	)
	return cmd
}

// ofHome is the service of this home.
func ofHome() (*service.Service, home.Home, error) {
	h, err := home.Find()
	if err != nil {
		return nil, h, err
	}
	of, err := service.For(h)
	return of, h, err
}

func installService(s *streams) error {
	of, h, err := ofHome()
	if err != nil {
		return err
	}
	if err := of.Install(); err != nil {
		return err
	}
	s.note(fmt.Sprintf("%s is installed (%s) and keeps the index fresh from now on; its log is %s", of.Name, of.File(), h.Log()))
	a, err := app.NewReader(s.warn)
	if err != nil {
		return err
	}
	for _, e := range []string{a.Config.EmbedServer.KeyName, a.Config.RerankServer.KeyName, a.Config.Endpoint.KeyName} {
		if e != "" {
			s.note(fmt.Sprintf("the service does not see the variable %s, which the settings name: systemctl --user import-environment %[1]s gives it, until you log out", e))
		}
	}
	return nil
}

func uninstallService(s *streams) error {
	of, h, err := ofHome()
	if err != nil {
		return err
	}
	was := of.State()
	if err := errors.Join(of.Uninstall(), os.RemoveAll(h.State)); err != nil {
		return err
	}
	if was == service.None {
		s.note("it is not installed")
		return nil
	}
	s.note(of.Name + " is removed; dowse watch keeps the index fresh without a service")
	return nil
}

// serviceReport is what there is to say of the service.
type serviceReport struct {
	Name    string        `json:"name"`
	State   service.State `json:"state"`
	File    string        `json:"file,omitempty"` // of the unit
	Log     string        `json:"log"`
	Process int           `json:"process,omitempty"` // that keeps the index fresh
	Waiting string        `json:"waiting,omitempty"` // why it waits with indexing
	Battery bool          `json:"pause_on_battery"`
	Load    float64       `json:"pause_at_load"` // share of the processors; 0: never
}

func serviceStatus(ctx context.Context, s *streams, asJSON bool) error {
	of, h, err := ofHome()
	if err != nil {
		return err
	}
	a, err := app.NewReader(s.warn)
	if err != nil {
		return err
	}
	r := serviceReport{Name: of.Name, State: of.State(), Log: h.Log(), Battery: a.Config.Service.Battery, Load: a.Config.Service.Load}
	if r.State != service.None {
		r.File = of.File()
	}
	_, _ = a.AskOwner(ctx, func(owner engine.Service) error {
		st, err := owner.Status(ctx)
		if err == nil {
			r.Process, r.Waiting = st.Owner, st.Waiting
		}
		return err
	})
	if asJSON {
		return writeJSON(s.out, r)
	}
	t := newTable(s.out)
	t.row("service", r.Name+", "+string(r.State))
	if r.File != "" {
		t.row("unit", r.File)
	}
	t.row("log", r.Log)
	if r.Process != 0 {
		t.row("kept fresh by", fmt.Sprintf("process %d", r.Process))
	}
	if r.Waiting != "" {
		t.row("waits", r.Waiting)
	}
	t.row("on battery", map[bool]string{true: "indexing waits", false: "indexing goes on"}[r.Battery])
	load := "indexing goes on"
	if r.Load > 0 {
		load = fmt.Sprintf("indexing waits from %.0f%% by other programs", 100*r.Load)
	}
	t.row("under load", load)
	return t.flush()
}

// serviceLogs prints the last lines of the log.
func serviceLogs(s *streams, lines int) error {
	h, err := home.Find()
	if err != nil {
		return err
	}
	parts, err := h.Logs()
	if err != nil {
		return err
	}
	var last []string
	for _, part := range parts {
		file, err := os.Open(part)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was rotated away
		}
		if err != nil {
			return err
		}
		scan := bufio.NewScanner(file)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			if last = append(last, scan.Text()); lines > 0 && len(last) > lines {
				last = last[1:]
			}
		}
		if err := errors.Join(scan.Err(), file.Close()); err != nil {
			return err
		}
	}
	if len(last) == 0 {
		s.note("the service has said nothing yet; dowse service status says whether it runs")
	}
	for _, line := range last {
		if _, err := fmt.Fprintln(s.out, oneLine(line)); err != nil {
			return err
		}
	}
	return nil
}

// Bounds of the log.
const (
	logMegabytes = 1 // of a part
	logParts     = 3 // beside the one that is written to
)

// serviceLog writes each line with the time, to the end of the log as it is then: a removed folder may have been erased
// from it (home.ScrubLogs).
type serviceLog struct{ file *lumberjack.Logger }

// newServiceLog is the log of a home, whose folder is there.
func newServiceLog(h home.Home) serviceLog {
	return serviceLog{&lumberjack.Logger{Filename: h.Log(), MaxSize: logMegabytes, MaxBackups: logParts}}
}

func (l serviceLog) Write(b []byte) (int, error) {
	_, err := l.file.Write(slices.Concat([]byte(time.Now().Format(time.DateTime+" ")), b))
	// The logger appends to a file that it opens again. To one that it has made it writes on at its own offset.
	if err = errors.Join(err, l.file.Close()); err != nil {
		return 0, err
	}
	return len(b), nil
}

// retryOwner is how often the service looks whether another process that keeps the index fresh has ended, or a folder
// was added.
const retryOwner = 10 * time.Second

// runService is dowse watch for a service manager: patient, and with a log.
func runService(ctx context.Context) error {
	h, err := home.Find()
	if err != nil {
		return err
	}
	if err := home.MakePrivate(h.State); err != nil {
		return err
	}
	s := &streams{in: os.Stdin, out: os.Stdout, err: newServiceLog(h)}
	s.note(fmt.Sprintf("process %d begins", os.Getpid()))
	err = serveWatching(ctx, s)
	if err != nil {
		s.fail(err)
	}
	s.note(fmt.Sprintf("process %d ends", os.Getpid()))
	return err
}

// serveWatching watches until ctx ends. It waits for another process that does, and for the first folder.
func serveWatching(ctx context.Context, s *streams) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	a.Tell = s.tell
	a.Calm = &pressure.Calm{Battery: a.Config.Service.Battery, Load: a.Config.Service.Load}
	calm, uncalm := context.WithCancel(ctx)
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		a.Calm.Follow(calm)
	}()
	defer func() { uncalm(); <-followed }()
	told := ""
	for ctx.Err() == nil {
		err := watchUntil(ctx, s, a, nil)
		if err == nil || !errors.Is(err, indexes.ErrKept) && !errors.Is(err, indexes.ErrNoFolders) {
			return err
		}
		if err.Error() != told {
			told = err.Error()
			s.tell(told)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryOwner):
		}
	}
	return nil
}
