# Says OUT on standard output and ERR on standard error and exits with CODE. Reads nothing.
printf '%s' "$1"
printf '%s' "$2" >&2
exit "${3:-0}"
