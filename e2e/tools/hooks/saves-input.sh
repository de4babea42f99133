# Reads standard input to its end into FILE, then says OUT and exits with CODE.
cat > "$1"
printf '%s' "$2"
exit "${3:-0}"
