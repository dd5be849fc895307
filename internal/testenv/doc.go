// Package testenv gives the process of a package's tests an environment of its
// own, so that what a person has set, installed or asked before cannot change
// what a test sees, and no test can change it.
//
// A package whose code reads the environment, or whose tests start programs,
// has
//
//	func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }
//
// In that process, and in all that it starts:
//
//   - HOME and the XDG folders are new and empty, and are removed at the end;
//   - every other variable is gone, but those that find programs and temporary
//     folders, those of Go itself, and those whose name begins with
//     DOWSE_TEST_, by which a person asks a test for more;
//   - the time zone is UTC, and new files may be read by everyone (umask 022);
//   - a signal that was ignored, as nohup does, ends children again.
//
// What a person has installed a test asks for by name, with package testcache.
package testenv
