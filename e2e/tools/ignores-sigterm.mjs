// Runs until it is killed: every signal that can be ignored is.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
setInterval(() => {}, 1 << 30);
console.log(`ready ${process.pid}`);
