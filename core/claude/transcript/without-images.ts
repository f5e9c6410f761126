/**
 * Collects a line in pieces and leaves out what is in Base64, as images in transcripts are. So the
 * words beside images of many megabytes are kept in bounded memory (L1a).
 */

/** No word is so long; a key or a hash is far shorter. */
const IMAGE_BYTES = 4096;

/** Whether a byte may be part of Base64, in either alphabet. */
const IS_BASE64 = new Uint8Array(256);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_')
  IS_BASE64[sign.charCodeAt(0)] = 1;

export class WithoutImages {
  #kept: Buffer[] = [];
  #length = 0;
  /** Base64 at the end of the last piece, which may go on in the next. */
  #run: Buffer[] = [];
  #runLength = 0;
  readonly #mostBytes: number;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The pieces may share a buffer that is used again. */
  add(piece: Buffer): void {
    let from = 0;
    for (let at = 0; at < piece.length; ) {
      const end = endOfRun(piece, at);
      if (end === piece.length || at === 0 || end - at >= IMAGE_BYTES) {
        this.#keep(piece.subarray(from, at));
        this.#extend(piece.subarray(at, end));
        if (end < piece.length) this.#endRun();
        from = end;
      }
      at = end + 1;
    }
    this.#keep(piece.subarray(from));
  }

  /** What is left of the line; undefined if it is still too long. */
  get bytes(): Buffer | undefined {
    this.#endRun();
    return this.#length > this.#mostBytes ? undefined : Buffer.concat(this.#kept);
  }

  #extend(run: Buffer): void {
    this.#runLength += run.length;
    if (this.#runLength < IMAGE_BYTES) this.#run.push(Buffer.from(run));
    else this.#run = [];
  }

  #endRun(): void {
    const run = this.#runLength < IMAGE_BYTES ? this.#run : [];
    this.#run = [];
    this.#runLength = 0;
    for (const part of run) this.#keep(part);
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#mostBytes) this.#kept = [];
    else this.#kept.push(Buffer.from(part));
  }
}

function endOfRun(piece: Buffer, from: number): number {
  let at = from;
  while (at < piece.length && IS_BASE64[piece[at] as number] === 1) at++;
  return at;
}
