package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
)

// newFolders is dowse folders: which are indexed, and how.
func newFolders(s *streams) *cobra.Command {
	var asJSON bool
	list := func(cmd *cobra.Command, names []string) error { return listFolders(cmd.Context(), s, names, asJSON) }
	cmd := &cobra.Command{
		Use:   "folders",
		Short: "List, name, move and remove the folders that are indexed",
		Long: `Folders lists the folders that are indexed: their names, what is in the index of them, and
how it is kept. A name narrows a search: in:NAME in a query, or --in NAME.

Remove erases what is indexed of a folder from the disk, at once; the folder itself stays as it is.
Move says that a folder lies elsewhere now; nothing is computed again for files that are the same.
Pause leaves a folder alone until resume; what is indexed of it is still found.`,
		RunE: list,
	}
	show := &cobra.Command{
		Use: "list [NAME...]", Short: "List them; with names, what is said of each and what was left out",
		RunE: list, ValidArgsFunction: folderNames(0),
	}
	for _, c := range []*cobra.Command{cmd, show} {
		c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	}
	cmd.AddCommand(show, newAddFolder(s), newRemoveFolder(s),
		newFolderChange(s, "rename NAME|DIR NEW", "Give a folder another name", 2, func(args []string) (engine.FolderChange, error) {
			return engine.FolderChange{Action: engine.RenameFolder, Folder: args[0], To: args[1]}, nil
		}),
		newFolderChange(s, "move NAME|DIR NEWDIR", "Follow a folder that was moved to another place", 2, func(args []string) (engine.FolderChange, error) {
			to, err := app.ResolveFolder(args[1])
			return engine.FolderChange{Action: engine.MoveFolder, Folder: args[0], To: to}, err
		}),
		newFolderChange(s, "pause NAME|DIR", "Leave a folder alone until resume", 1, func(args []string) (engine.FolderChange, error) {
			return engine.FolderChange{Action: engine.PauseFolder, Folder: args[0]}, nil
		}),
		newFolderChange(s, "resume NAME|DIR", "Look at a folder again that was paused", 1, func(args []string) (engine.FolderChange, error) {
			return engine.FolderChange{Action: engine.ResumeFolder, Folder: args[0]}, nil
		}))
	return cmd
}

// newAddFolder is dowse folders add.
func newAddFolder(s *streams) *cobra.Command {
	var name, preset, files string
	var exclude, types []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "add DIR | PACK | --preset agents",
		Short: "Index a folder, by a name, or change what is taken of it",
		Long: `Add indexes a folder, or changes what is said of one that is indexed: what is excluded now is
erased from the index, what is not any more is indexed. Patterns of --exclude are as in a .gitignore file
and count from the folder; types of --type are as in type:, such as note, mail, pdf or code, or endings.
They add to what was said before; an empty value first takes that back: --exclude "" --exclude "*.log".

A PACK, a file that dowse pack wrote or an address of PostgreSQL that it published to, is searched beside
what is indexed here, in one ranking, and never written. Its text is in it. --files names a folder of this machine with the same files: then results are of
that, and a pack without text can be searched.

--preset agents adds the folders in which coding agents keep their sessions, those that are there: of
Claude Code, Codex, Gemini CLI and OpenCode. Of each the sessions alone are taken.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if preset != "" {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.ExactArgs(1)(cmd, args)
		},
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if preset != "" {
				return addPreset(cmd.Context(), s, preset, asJSON)
			}
			change, err := addition(dirs[0], files)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("name") {
				change.Name = &name
			}
			if cmd.Flags().Changed("exclude") {
				change.Exclude = &exclude
			}
			if cmd.Flags().Changed("type") {
				change.Types = &types
			}
			return changeFolder(cmd.Context(), s, change, asJSON)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the `NAME` by which it is searched; that of the folder if not given")
	cmd.Flags().StringArrayVar(&exclude, "exclude", nil, "leave out what matches this `PATTERN` (may be repeated)")
	cmd.Flags().StringArrayVar(&types, "type", nil, "take files of this `TYPE` alone (may be repeated)")
	cmd.Flags().StringVar(&files, "files", "", "of a pack: the folder of this machine that has its files, a `DIR`")
	cmd.Flags().StringVar(&preset, "preset", "", "add the folders that programs of a `KIND` keep: agents")
	cmd.MarkFlagsMutuallyExclusive("preset", "name")
	cmd.MarkFlagsMutuallyExclusive("preset", "exclude")
	cmd.MarkFlagsMutuallyExclusive("preset", "type")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, with --preset one for each folder")
	return cmd
}

// addition is the change that adds a folder, or a pack with the folder that has its files.
func addition(named, files string) (change engine.FolderChange, err error) {
	change.Action = engine.AddFolder
	pack, err := named, error(nil)
	if !app.OnServer(named) {
		pack, err = app.ResolveFile(named)
	}
	if err == nil {
		change.Folder = pack
		if files != "" {
			change.Files, err = app.ResolveFolder(files)
		}
		return change, err
	}
	if files != "" {
		return change, fmt.Errorf("%s is no pack, which --files is for; dowse pack NAME -o FILE makes one", named)
	}
	change.Folder, err = app.ResolveFolder(named)
	return change, err
}

// newRemoveFolder is dowse folders remove.
func newRemoveFolder(s *streams) *cobra.Command {
	var asJSON, conversations bool
	cmd := &cobra.Command{
		Use:   "remove NAME|DIR",
		Short: "Erase what is indexed of a folder; its files stay as they are",
		Long: `Remove takes a folder out of the index and erases what the index holds of it: its text, its names,
vectors and past answers. When it says so, no byte of the data folder tells of it any more. The files of
the folder stay as they are.

Conversations that quote it are kept and named, unless --conversations has them erased too.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: folderNames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeFolder(cmd.Context(), s, engine.FolderChange{
				Action: engine.RemoveFolder, Folder: folderArgument(args[0]), Conversations: conversations,
			}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&conversations, "conversations", false, "erase conversations that hold passages of it too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// newFolderChange is a command that changes a folder and has no flags of its own.
func newFolderChange(s *streams, use, short string, args int, of func([]string) (engine.FolderChange, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(args), ValidArgsFunction: folderNames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			change, err := of(args)
			if err != nil {
				return err
			}
			change.Folder = folderArgument(change.Folder)
			return changeFolder(cmd.Context(), s, change, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// folderArgument is the name of a folder, or its path where it is one; the folder need not be there.
func folderArgument(typed string) string {
	if path, ok := app.AsPath(typed); ok {
		return path
	}
	return typed
}

// listFolders prints all folders, or what is said of some.
func listFolders(ctx context.Context, s *streams, names []string, asJSON bool) error {
	return withService(ctx, s, func(service engine.Service) error {
		all, err := service.Folders(ctx)
		if err != nil {
			return err
		}
		shown := all
		if len(names) > 0 {
			if shown, err = calledFolders(all, names); err != nil {
				return err
			}
		}
		switch {
		case asJSON:
			return writeJSON(s.out, map[string]any{"folders": shown})
		case len(all) == 0:
			return indexes.ErrNothingIndexed
		case len(names) == 0:
			return printFolders(s.out, shown)
		}
		for i := range shown {
			if err := printFolder(s.out, &shown[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// calledFolders finds folders by names or paths.
func calledFolders(all []engine.Folder, names []string) (found []engine.Folder, err error) {
	var known []engine.NamedFolder
	for _, f := range all {
		known = append(known, f.NamedFolder)
	}
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = folderArgument(name)
	}
	if paths, err = engine.FindFolders(paths, known); err != nil {
		return nil, err
	}
	for i, path := range paths {
		n := len(found)
		for _, f := range all {
			if f.Path == path {
				found = append(found, f)
			}
		}
		if len(found) == n {
			return nil, fmt.Errorf("%s is no folder that is indexed; dowse folders lists those", names[i])
		}
	}
	return found, nil
}

// printFolders prints a table.
func printFolders(w io.Writer, all []engine.Folder) error {
	t := newTable(w)
	t.row("NAME", "FILES", "PASSAGES", "SIZE", "NEWEST", "MODEL", "STATE", "PATH")
	for i := range all {
		f := &all[i]
		newest, model := "", f.Model
		if !f.Newest.IsZero() {
			newest = humanize.Time(f.Newest)
		}
		if model == "" {
			model = "words alone"
		}
		t.row(f.Name, humanize.Comma(int64(f.Files)), humanize.Comma(int64(f.Chunks)), bytesText(f.Bytes), newest, model, string(f.State), f.Path)
	}
	if err := t.flush(); err != nil {
		return err
	}
	for i := range all {
		if text := stateText(&all[i]); text != "" {
			fmt.Fprintln(w, oneLine(text))
		}
	}
	return nil
}

// stateText says more of a state; "" where its word says all.
func stateText(f *engine.Folder) string {
	switch {
	case f.Away():
		return f.AwayText()
	case f.Why != "":
		return f.Name + ": " + f.Why
	}
	return ""
}

// printFolder prints all that is known of a folder.
func printFolder(w io.Writer, f *engine.Folder) error {
	t := newTable(w)
	t.row(f.Name, f.Path)
	state := string(f.State)
	if f.Away() {
		state += ": " + f.AwayText()
	} else if f.Why != "" {
		state += ": " + f.Why
	}
	t.row("  state", state)
	t.row("  indexed", fmt.Sprintf("%s, %s, %s of text", counted(f.Files, "file"), counted(f.Chunks, "passage"), bytesText(f.TextBytes)))
	if len(f.Exclude) > 0 {
		t.row("  excluded", strings.Join(f.Exclude, " "))
	}
	if len(f.Types) > 0 {
		t.row("  types", strings.Join(f.Types, ", "))
	}
	if len(f.Skipped) > 0 {
		t.row("  left out", skippedText(f.Skipped)+"; dowse status --skipped lists each, and why")
	}
	return t.flush()
}

// changeFolder makes a change and says what came of it.
func changeFolder(ctx context.Context, s *streams, change engine.FolderChange, asJSON bool) error {
	return changeFolders(ctx, s, []engine.FolderChange{change}, asJSON)
}

// changeFolders makes changes one after the other, up to the first that fails, and says what came of each.
func changeFolders(ctx context.Context, s *streams, changes []engine.FolderChange, asJSON bool) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	a.Tell = s.tell
	service, err := a.Open(ctx, indexes.Own)
	if err != nil {
		return err
	}
	for _, change := range changes {
		line := newProgressLine(s.err)
		report, changed := service.ChangeFolder(ctx, change, line.event)
		line.done()
		if err = changed; err != nil {
			break
		}
		if asJSON {
			err = writeJSON(s.out, report)
		} else {
			fmt.Fprintln(s.err, printable(doneText(change, report)))
		}
	}
	return errors.Join(err, service.Close())
}

// doneText says what a change of a folder did.
func doneText(change engine.FolderChange, r *engine.FolderReport) (text string) {
	switch {
	case r.Pack != nil && change.Action == engine.RemoveFolder:
		return fmt.Sprintf("the pack %s (%s) is not searched any more: %s, %s; its file is as it was", r.Folder.Name, r.Folder.Path, counted(r.Pack.Files, "file"), counted(r.Pack.Chunks, "passage"))
	case r.Pack != nil:
		text = fmt.Sprintf("the pack %s is called %s: in:%[2]s searches it\n%s, %s, %s of text", r.Pack.File, r.Folder.Name, counted(r.Pack.Files, "file"), counted(r.Pack.Chunks, "passage"), bytesText(r.Pack.TextBytes))
		if r.Pack.Why != "" {
			text += "\nit is searched by words alone: " + r.Pack.Why
		}
		return text
	}
	switch change.Action {
	case engine.RemoveFolder:
		text = fmt.Sprintf("%s (%s) is erased from the index: %s, %s; its own files are as they were", r.Folder.Name, r.Folder.Path, counted(r.Files, "file"), counted(r.Chunks, "passage"))
		if r.Later {
			text = fmt.Sprintf("%s (%s) is out of the index; traces of it are erased as soon as the file of the index can be rewritten", r.Folder.Name, r.Folder.Path)
		}
		if r.Answers > 0 {
			text += "\nerased with it: " + counted(r.Answers, "past answer")
		}
		switch n := len(r.Conversations); {
		case n > 0 && change.Conversations:
			text += "\nerased with it: " + counted(n, "conversation") + " that quoted it: " + strings.Join(r.Conversations, ", ")
		case n > 0:
			text += "\nstill quoted by " + counted(n, "conversation") + ": " + strings.Join(r.Conversations, ", ") + "; dowse contexts delete NAME erases one"
		}
		return text
	case engine.RenameFolder:
		return fmt.Sprintf("%s is called %s now: in:%s searches it", r.Folder.Path, r.Folder.Name, r.Folder.Name)
	case engine.PauseFolder:
		return fmt.Sprintf("%s is left alone until dowse folders resume %s", r.Folder.Path, r.Folder.Name)
	case engine.ResumeFolder:
		return fmt.Sprintf("%s is looked at again", r.Folder.Path)
	case engine.MoveFolder:
		text = fmt.Sprintf("%s lies in %s now", r.Folder.Name, r.Folder.Path)
	default:
		text = fmt.Sprintf("%s is called %s: in:%[2]s searches it", r.Folder.Path, r.Folder.Name)
	}
	if r.Index != nil {
		text += "\n" + indexSummary(r.Index)
	}
	return text
}
