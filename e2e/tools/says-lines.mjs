// Says one line of many-byte characters on each stream in turn, COUNT lines (default 10), one every MS milliseconds.
const [count = '10', ms = '100'] = process.argv.slice(2);
for (let line = 1; line <= Number(count); line++) {
  const stream = line % 2 === 1 ? process.stdout : process.stderr;
  stream.write(`${line} 日本語 🚦 žluťoučký\n`);
  await new Promise((resolve) => setTimeout(resolve, Number(ms)));
}
