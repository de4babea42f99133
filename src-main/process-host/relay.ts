import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `/dev/stderr`, `/dev/fd/1`, `/proc/self/fd/2` and their kin. */
const OUTPUT_BY_NAME = /\/dev\/(?:stderr|stdout|fd\/[12])\b|\/proc\/[^/\s]+\/fd\/[12]\b/;

/**
 * Does the command open its own output by name? On Linux that opens the file behind it anew, and `>` empties it: what was
 * written before is lost. A pipe has nothing to be emptied, but takes six times as long, so only these get one.
 */
export const opensOutputByName = (command: string, platform = process.platform): boolean =>
  platform === 'linux' && OUTPUT_BY_NAME.test(command);

const CHUNK = Buffer.allocUnsafe(64 * 1024);
let made = 0;

/** A pipe with a name, which `open` can be called on: those that Node makes for its children are sockets. */
export class Relay {
  /** For the command's streams. Belongs to the child once it is started. */
  readonly writer: number;
  readonly #reader: number;
  readonly #file: number;
  #socket: Socket | undefined;

  private constructor(reader: number, writer: number, file: number) {
    this.#reader = reader;
    this.writer = writer;
    this.#file = file;
  }

  /** @param file descriptor that appends to the output. Undefined when no pipe can be made. */
  static open(file: number): Relay | undefined {
    const path = join(tmpdir(), `gantry-pipe-${process.pid}-${made++}`);
    if (spawnSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' }).status !== 0) return undefined;
    try {
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      return new Relay(reader, openSync(path, constants.O_WRONLY), file);
    } catch {
      return undefined;
    } finally {
      // The open ends are all that is needed.
      rmSync(path, { force: true });
    }
  }

  /** By this the pipe is known among what processes have open. */
  get path(): string {
    return `/proc/${process.pid}/fd/${this.#reader}`;
  }

  /** The child has its end of the pipe. From now on what it writes goes to the file. */
  start(): void {
    closeSync(this.writer);
    const socket = new Socket({ fd: this.#reader, readable: true, writable: false });
    socket.on('data', (bytes) => this.#write(bytes, bytes.length));
    socket.on('end', () => {
      this.#socket = undefined;
    });
    // What is broken has ended; the command's own end is told by the command.
    socket.on('error', () => {
      this.#socket = undefined;
    });
    this.#socket = socket;
  }

  /** Takes what lies in the pipe at this moment. */
  drain(): void {
    while (this.#socket !== undefined) {
      const length = this.#readNow();
      if (length === 0) return;
      this.#write(CHUNK, length);
    }
  }

  #readNow(): number {
    try {
      return readSync(this.#reader, CHUNK, 0, CHUNK.length, null);
    } catch {
      // Nothing is there right now.
      return 0;
    }
  }

  #write(bytes: Buffer, length: number): void {
    try {
      for (let at = 0; at < length; ) at += writeSync(this.#file, bytes, at, length - at);
    } catch {
      // A full disk loses the rest, as it does where the command writes the file itself.
    }
  }

  /** Lets go of the pipe. Whoever still writes to it is told so by the system. */
  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Nothing was started: both ends go. */
  discard(): void {
    closeSync(this.writer);
    closeSync(this.#reader);
  }
}
