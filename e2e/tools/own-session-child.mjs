// Starts a child in a session of its own, which survives a kill of the group. With `leave` it ends at once, so that the
// child is orphaned too; otherwise it stays.
import { spawn } from 'node:child_process';

const child = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
console.log(`ready ${child.pid}`);
if (process.argv[2] === 'leave') child.unref();
