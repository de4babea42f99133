# Writes its working folder, its environment and whether there is a terminal into FILE.
{
  pwd
  env
  if (: < /dev/tty) 2> /dev/null; then echo 'terminal=yes'; else echo 'terminal=no'; fi
} > "$1"
