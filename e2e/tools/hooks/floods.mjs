// Says HEAD, then BYTES times the letter x, then TAIL; ends by itself when all is written.
const [bytes = '0', head = '', tail = ''] = process.argv.slice(2);
process.stdout.write(`${head}${'x'.repeat(Number(bytes))}${tail}`);
