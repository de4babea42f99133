// Writes BYTES bytes (default 50 MB) as fast as it can, in lines of 64 bytes, and ends.
import { writeSync } from 'node:fs';

const bytes = Number(process.argv[2] ?? 50 * 1024 * 1024);
const block = Buffer.from(`${'x'.repeat(63)}\n`.repeat(16 * 1024));
for (let left = bytes; left > 0; ) left -= writeSync(1, block, 0, Math.min(block.length, left));
