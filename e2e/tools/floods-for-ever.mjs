// Writes 64 KB every few milliseconds until it is killed; SIGTERM makes no difference.
process.on('SIGTERM', () => {});
console.log(`ready ${process.pid}`);
const block = `${'x'.repeat(63)}\n`.repeat(1024);
setInterval(() => process.stdout.write(block), 5);
