#!/bin/sh
# Writes each argument on a line of its own into the file named first.
file=$1
shift
printf '%s\n' "$@" > "$file"
