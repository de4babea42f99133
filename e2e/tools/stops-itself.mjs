// Stops like a suspended program: it acts on no signal but KILL until somebody continues it.
process.stdout.write(`ready ${process.pid}\n`, () => process.kill(process.pid, 'SIGSTOP'));
setInterval(() => {}, 1 << 30);
