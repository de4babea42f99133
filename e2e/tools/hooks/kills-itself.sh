# Says that all is well and dies of a signal.
printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
kill -KILL $$
