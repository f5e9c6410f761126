/**
 * Which links of a memory may be followed at all (G3): an address comes in, the same as a URL goes
 * out, or undefined if it is to stay text. Only http and https to a named host, without
 * credentials; nothing that runs, reads a file or lies about where it goes.
 */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || address.length > 2000) return undefined;
  // Browsers drop these inside of addresses: `java\nscript:` would be one.
  if (/[\s\p{Cc}\p{Cf}]/u.test(address)) return undefined;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.username === '' && url.password === '' ? url.href : undefined;
}
