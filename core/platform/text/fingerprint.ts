/** Compares texts without storing them: FNV-1a of the text without case, blanks, punctuation. */
export function contentFingerprint(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(plain.replace(/[^\p{L}\p{N}]+/gu, '')))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
