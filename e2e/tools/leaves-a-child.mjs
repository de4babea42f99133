// Ends at once and leaves a child behind in its own process group, which would run for a long time.
import { spawn } from 'node:child_process';

const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
child.unref();
console.log(`ready ${child.pid}`);
