// Starts a child that starts another one, in a session of its own and with nothing open, and ends; this ends too.
import { spawn } from 'node:child_process';

const script = 'setsid sleep 1000 >/dev/null 2>&1 & echo "ready $!"';
spawn('bash', ['-c', script], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).unref();
