# Writes its pid to READY, waits until the file GO is there, then says OUT and exits with CODE. Reads nothing.
echo $$ > "$1.part" && mv "$1.part" "$1"
until [ -e "$2" ]; do sleep 0.05; done
printf '%s' "$3"
exit "${4:-0}"
