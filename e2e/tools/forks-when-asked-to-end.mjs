// Answers SIGTERM by starting a child in a session of its own and ending: what was seen before the signal is not all.
import { spawn } from 'node:child_process';

process.on('SIGTERM', () => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
  child.unref();
  console.log(`forked ${child.pid}`);
  process.exit(0);
});
setInterval(() => {}, 1 << 30);
console.log(`ready ${process.pid}`);
