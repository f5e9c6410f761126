/**
 * Asks Windows itself about processes (P3), by calls of kernel32, ntdll and advapi32 through koffi:
 * no child process, a tenth of a millisecond each. Hooks run without koffi on the user's Node.js;
 * for them there is no such answer (docs/decisions/0044-windows-processes.md).
 */
import { createRequire } from 'node:module';
import type { LibraryHandle } from 'koffi';
import type { ProcessInfo } from './process-table.ts';

/** Who a process runs as; two that differ must not reach into each other. */
export interface ProcessIdentity {
  /** The user's SID, in hex. */
  user: string;
  /** 0x2000 for an ordinary program, 0x3000 for one that runs as administrator. */
  integrity: number;
}

export interface WindowsApi {
  /** Undefined if it has ended, or is none of ours to see. */
  process(pid: number): ProcessInfo | undefined;
  /** Undefined if Windows does not tell: then it is more privileged than we are. */
  identity(pid: number): ProcessIdentity | undefined;
}

const QUERY_LIMITED_INFORMATION = 0x1000;
const STILL_ACTIVE = 259;
const BASIC_INFORMATION = { size: 48, parentAt: 40 };
const MAX_PATH_UNITS = 32_768;
const TOKEN_QUERY = 8;
const TOKEN_USER = 1;
const TOKEN_INTEGRITY_LEVEL = 25;
const TOKEN_BYTES = 256;
/** A pointer and attributes stand before the SID. */
const SID_AT = 16;

/** Handles are numbers; what a call fills in is a buffer. */
type Call = (...args: (number | string | Buffer | null)[]) => number;
export type DeclareCall = (library: string, declaration: string) => Call;

let declareCall: DeclareCall | null | undefined;

/** Undefined where koffi is not installed. */
export function windowsCalls(): DeclareCall | undefined {
  if (declareCall === undefined) declareCall = loadKoffi();
  return declareCall ?? undefined;
}

function loadKoffi(): DeclareCall | null {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as {
      load(path: string): LibraryHandle;
    };
    const libraries = new Map<string, LibraryHandle>();
    return (name, declaration) => {
      const library = libraries.get(name) ?? koffi.load(name);
      libraries.set(name, library);
      return library.func(declaration);
    };
  } catch {
    return null; // the plugin's hooks, or a processor that it has no binary for
  }
}

let api: WindowsApi | undefined;

export function windowsApi(): WindowsApi | undefined {
  const declare = windowsCalls();
  if (declare !== undefined) api ??= makeApi(declare);
  return api;
}

function makeApi(declare: DeclareCall): WindowsApi {
  const open = declare(
    'kernel32.dll',
    'intptr_t __stdcall OpenProcess(uint32 access, int inherit, uint32 pid)',
  );
  const close = declare('kernel32.dll', 'int __stdcall CloseHandle(intptr_t handle)');
  const exitCode = declare(
    'kernel32.dll',
    'int __stdcall GetExitCodeProcess(intptr_t process, void *code)',
  );
  const times = declare(
    'kernel32.dll',
    'int __stdcall GetProcessTimes(intptr_t process, void *start, void *end, void *kernel, void *user)',
  );
  const imageName = declare(
    'kernel32.dll',
    'int __stdcall QueryFullProcessImageNameW(intptr_t process, uint32 flags, void *name, void *units)',
  );
  const basicInformation = declare(
    'ntdll.dll',
    'int __stdcall NtQueryInformationProcess(intptr_t process, int kind, void *into, uint32 size, void *filled)',
  );
  const openToken = declare(
    'advapi32.dll',
    'int __stdcall OpenProcessToken(intptr_t process, uint32 access, void *token)',
  );
  const tokenInformation = declare(
    'advapi32.dll',
    'int __stdcall GetTokenInformation(intptr_t token, int kind, void *into, uint32 size, void *filled)',
  );

  function withProcess<T>(pid: number, look: (handle: number) => T): T | undefined {
    const handle = open(QUERY_LIMITED_INFORMATION, 0, pid);
    if (handle === 0) return undefined;
    try {
      return look(handle);
    } finally {
      close(handle);
    }
  }

  /** In units of 100 ns since 1601, as Claude Code writes it. */
  function startOf(handle: number): bigint | undefined {
    const [code, start, rest] = [Buffer.alloc(4), Buffer.alloc(8), Buffer.alloc(8)];
    if (exitCode(handle, code) === 0 || code.readUInt32LE() !== STILL_ACTIVE) return undefined;
    return times(handle, start, rest, rest, rest) === 0 ? undefined : start.readBigUInt64LE();
  }

  const text = Buffer.alloc(MAX_PATH_UNITS * 2);
  function nameOf(handle: number): string {
    const units = Buffer.alloc(4);
    units.writeUInt32LE(MAX_PATH_UNITS);
    if (imageName(handle, 0, text, units) === 0) return '';
    const path = text.toString('utf16le', 0, units.readUInt32LE() * 2);
    return path.slice(path.lastIndexOf('\\') + 1);
  }

  /** Windows keeps the pid of a parent that has ended, which another process may have by now. */
  function parentOf(handle: number, start: bigint): number {
    const into = Buffer.alloc(BASIC_INFORMATION.size);
    if (basicInformation(handle, 0, into, into.length, null) !== 0) return 0;
    const pid = Number(into.readBigUInt64LE(BASIC_INFORMATION.parentAt));
    const parentStart = withProcess(pid, startOf);
    return parentStart !== undefined && parentStart <= start ? pid : 0;
  }

  function sid(token: number, kind: number): Buffer | undefined {
    const [into, filled] = [Buffer.alloc(TOKEN_BYTES), Buffer.alloc(4)];
    return tokenInformation(token, kind, into, into.length, filled) === 0
      ? undefined
      : into.subarray(SID_AT, filled.readUInt32LE());
  }

  return {
    process: (pid) =>
      withProcess(pid, (handle) => {
        const start = startOf(handle);
        if (start === undefined) return undefined;
        const parentPid = parentOf(handle, start);
        return { pid, parentPid, startTime: String(start), name: nameOf(handle) };
      }),

    identity: (pid) =>
      withProcess(pid, (handle) => {
        const into = Buffer.alloc(8);
        if (openToken(handle, TOKEN_QUERY, into) === 0) return undefined;
        const token = Number(into.readBigUInt64LE());
        try {
          const [user, level] = [sid(token, TOKEN_USER), sid(token, TOKEN_INTEGRITY_LEVEL)];
          if (user === undefined || level === undefined) return undefined;
          return { user: user.toString('hex'), integrity: level.readUInt32LE(level.length - 4) };
        } finally {
          close(token);
        }
      }),
  };
}
