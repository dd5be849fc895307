package child

import "context"

// Talk makes a program ready with which dowse speaks over its input and output, such as ssh. It runs in the person's working
// directory, without their terminal. A cancelled ctx ends it and what it started.
func Talk(ctx context.Context, program string, args ...string) (*Cmd, error) {
	path, err := Find(program)
	if err != nil {
		return nil, err
	}
	cmd := command(ctx, "", path, args)
	cmd.Env = nil // all of it: ssh finds its agent there
	return cmd, nil
}
