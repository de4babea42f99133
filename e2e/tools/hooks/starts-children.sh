# Starts a sleep in its group and one in a session of its own, writes both pids to READY and stays.
sleep 1000 & first=$!
setsid sleep 1000 & second=$!
echo "$first $second" > "$1.part" && mv "$1.part" "$1"
wait
