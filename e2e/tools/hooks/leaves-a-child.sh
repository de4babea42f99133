# Starts a sleep that keeps standard output open, writes its pid to FILE, says OUT and ends. With `setsid` as third
# argument the sleep gets a session of its own and leaves the streams alone.
if [ "$3" = setsid ]; then setsid sleep 1000 < /dev/null > /dev/null 2>&1 & else sleep 1000 & fi
echo $! > "$1"
printf '%s' "$2"
