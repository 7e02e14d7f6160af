"""One file a command; each holds a click command of the file's name, called `command`."""
