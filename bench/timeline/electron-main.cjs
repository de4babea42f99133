// The Electron of one measurement: opens the page, has it draw, and prints one line of JSON. Plain CommonJS, so that it runs unbuilt.
const { readdirSync, readFileSync } = require('node:fs');
const { app, BrowserWindow } = require('electron');

/** @type {{page: string, query: Record<string, string>, script?: string, live?: {seconds: number, eventsPerSecond: number}}} */
const job = JSON.parse(process.env.GANTRY_BENCH_JOB ?? '{}');

/**
 * Processor time of a process and all below it, in ms; the kernel counts it in ticks of 10 ms.
 * @param {number} pid
 * @returns {number}
 */
function cpuOfAll(pid) {
  try {
    const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
    );
    const own = (Number(fields[11]) + Number(fields[12])) * 10;
    return children.reduce((sum, child) => sum + cpuOfAll(Number(child)), own);
  } catch {
    return 0;
  }
}

async function measure() {
  const window = new BrowserWindow({
    width: 1280,
    height: 720,
    useContentSize: true,
    webPreferences: { nodeIntegration: true, contextIsolation: false, backgroundThrottling: false },
  });
  /** @param {string} code */
  const ask = (code) => window.webContents.executeJavaScript(code);
  await window.loadFile(job.page, { query: job.query });
  if (job.script !== undefined) await ask(readFileSync(job.script, 'utf8').concat('\n;undefined'));
  if (job.live !== undefined) {
    const lived = await ask(`bench.live(${job.live.seconds}, ${job.live.eventsPerSecond})`);
    process.stdout.write(`${JSON.stringify(lived)}\n`);
    return;
  }
  await ask('bench.prepare()');
  const opened = await ask('bench.open()');
  // Once for the compiler: what is measured is a chart somebody is working with.
  await ask('bench.run()');
  const before = cpuOfAll(process.pid);
  const drawn = await ask('bench.run()');
  const cpuPerFrame = (cpuOfAll(process.pid) - before) / (drawn.frames.length + 1);
  process.stdout.write(`${JSON.stringify({ ...opened, ...drawn, cpuPerFrame })}\n`);
}

app
  .whenReady()
  .then(measure)
  .then(
    () => app.exit(0),
    (error) => {
      process.stderr.write(`${error?.stack ?? error}\n`);
      app.exit(1);
    },
  );
