# Reads one line, the way shell scripts do, into FILE; fails when the line has no end. Then says OUT.
IFS= read -r line || exit 3
printf '%s' "$line" > "$1"
printf '%s' "$2"
