package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"dowse/engine/kernel"
	"dowse/internal/app"
	"dowse/internal/reading"
	"dowse/models"
)

// Level rates a finding.
type Level string

// The levels, from best to worst.
const (
	Fine    Level = "ok"
	Warning Level = "warning" // works, but not as well as it could
	Broken  Level = "broken"  // dowse cannot work
)

// Finding is one thing that the doctor looked at.
type Finding struct {
	Topic  string `json:"topic"`
	Level  Level  `json:"level"`
	Detail string `json:"detail"`
}

// examination looks at one dowse.
type examination struct {
	*app.App
	reading reading.Settings
}

func of(a *app.App) examination { return examination{a, a.Reading()} }

// Examine looks at everything that dowse needs from this machine.
func Examine(ctx context.Context, a *app.App) []Finding {
	e := of(a)
	access := e.checkAccess() // first, since finding models mends their folder
	findings := []Finding{
		e.checkKernels(),
		e.checkModel(ctx),
		e.checkReranker(ctx),
		e.checkReader(ctx),
		e.checkAnswerer(ctx),
		e.checkOCR(ctx),
		e.checkFolder("index", e.Home.Data),
		e.checkRecords(ctx),
		e.checkFolders(ctx),
		e.checkConversations(ctx),
		e.checkFolder("cache", e.Home.Cache),
		access,
		e.checkOwner(ctx),
	}
	findings = append(findings, e.checkMedia()...)
	if e.Config.Folders.Model != "" {
		findings = append(findings, e.checkFolderModel(ctx))
	}
	if runtime.GOOS == "linux" {
		findings = append(findings, checkWatches())
	}
	return append(findings, checkEditor())
}

// checkKernels says what the matrix products run on.
func (e examination) checkKernels() Finding {
	f := Finding{Topic: "kernels", Level: Fine}
	k, err := kernel.New(kernel.Options{Library: e.RuntimeLibrary()})
	if err != nil {
		return Finding{"kernels", Broken, err.Error()}
	}
	loadErr := k.LoadRuntime()
	d := k.Describe()
	f.Detail = fmt.Sprintf("%s on %s; %s: %s", d.ISA, runtime.GOARCH, d.Backend, d.Reason)
	if d.Problem != "" || loadErr != nil {
		f.Level = Warning
		f.Detail += "; " + d.Problem
	}
	if os.Getenv(models.RuntimeVariable) != "" {
		if _, err := e.FindRuntime(); err != nil {
			f.Level = Warning
			f.Detail += "; " + err.Error()
		}
	}
	if d.ISA == kernel.Plain {
		f.Level = Warning
		f.Detail += "; this is many times slower than the processor allows: build with cgo and a C compiler"
	}
	if err := k.Close(); err != nil {
		return Finding{"kernels", Warning, err.Error()}
	}
	return f
}

// fewWatches is a limit below which large folders cannot be watched whole.
const fewWatches = 65536

// checkWatches reads the system's limit on watched folders.
func checkWatches() Finding {
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return Finding{"watches", Warning, fmt.Sprintf("the limit on watched folders is unknown: %v", err)}
	}
	text := strings.TrimSpace(string(data))
	if n, err := strconv.Atoi(text); err == nil && n < fewWatches {
		return Finding{"watches", Warning, text + " folders may be watched; beyond them changes are found by looking every half minute: raise fs.inotify.max_user_watches"}
	}
	return Finding{"watches", Fine, text + " folders may be watched"}
}

// checkEditor says what enter opens.
func checkEditor() Finding {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v := os.Getenv(name); v != "" {
			return Finding{"editor", Fine, "$" + name + " is " + v}
		}
	}
	return Finding{"editor", Warning, "neither VISUAL nor EDITOR is set; set EDITOR to the program that should open results"}
}
