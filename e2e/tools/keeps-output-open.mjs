// Leaves a child that knows nothing of where it comes from, except that it still holds this program's output open.
import { spawn } from 'node:child_process';

const child = spawn('/bin/sleep', ['1000'], { stdio: ['ignore', 'inherit', 'inherit'], env: {}, detached: true });
console.log(`ready ${child.pid}`);
child.unref();
