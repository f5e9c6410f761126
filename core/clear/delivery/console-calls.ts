/**
 * The calls of Windows to another process's console, by koffi. Run in the Windows bed, but for
 * `cells`: Wine's console does not interpret what Claude Code writes.
 */
import type { DeclareCall } from '../../platform/process/windows-api.ts';
import type { KeyEvent } from './console-keys.ts';
import type { ConsoleCells } from './console-screen.ts';

export interface ConsoleCalls {
  /** 0, or the system's code of the error. */
  attach(pid: number): number;
  /** Pids of all processes that share the console, ours too. */
  processes(): number[];
  /** How many of these keys the console has taken. */
  write(keys: readonly KeyEvent[]): number;
  /** Undefined if the console gives none. */
  cells(): ConsoleCells | undefined;
}

const GENERIC_READ = 0x8000_0000;
const GENERIC_WRITE = 0x4000_0000;
const SHARE_ALL = 3;
const OPEN_EXISTING = 3;
const INVALID_HANDLE = -1;
const KEY_EVENT = 1;
const RECORD_BYTES = 20;
const MAX_PROCESSES = 256;
const SCREEN_INFO_BYTES = 22;
const CELL_BYTES = 4;

export function consoleCalls(declare: DeclareCall): ConsoleCalls {
  const kernel = (declaration: string) => declare('kernel32.dll', declaration);
  const lastError = kernel('uint32 __stdcall GetLastError()');
  const freeConsole = kernel('int __stdcall FreeConsole()');
  const attachConsole = kernel('int __stdcall AttachConsole(uint32 pid)');
  const ignoreCtrlC = kernel('int __stdcall SetConsoleCtrlHandler(void *handler, int add)');
  const processList = kernel('uint32 __stdcall GetConsoleProcessList(void *pids, uint32 count)');
  const openFile = kernel(
    'intptr_t __stdcall CreateFileW(str16 name, uint32 access, uint32 share, void *security, uint32 how, uint32 flags, intptr_t template)',
  );
  const close = kernel('int __stdcall CloseHandle(intptr_t handle)');
  const writeInput = kernel(
    'int __stdcall WriteConsoleInputW(intptr_t input, void *records, uint32 count, void *written)',
  );
  const screenInfo = kernel(
    'int __stdcall GetConsoleScreenBufferInfo(intptr_t output, void *info)',
  );
  const readOutput = kernel(
    'int __stdcall ReadConsoleOutputW(intptr_t output, void *cells, uint32 size, uint32 at, void *region)',
  );

  /** Opened anew each time: a program may have switched to another screen buffer. */
  function withFile<T>(name: 'CONIN$' | 'CONOUT$', use: (file: number) => T): T | undefined {
    const access = GENERIC_READ + GENERIC_WRITE;
    const file = openFile(name, access, SHARE_ALL, null, OPEN_EXISTING, 0, 0);
    if (file === INVALID_HANDLE) return undefined;
    try {
      return use(file);
    } finally {
      close(file);
    }
  }

  function readRow(file: number, row: number, left: number, right: number): Buffer | undefined {
    const columns = right - left + 1;
    const [cells, region] = [Buffer.alloc(columns * CELL_BYTES), Buffer.alloc(8)];
    for (const [index, value] of [left, row, right, row].entries())
      region.writeInt16LE(value, index * 2);
    const oneRow = columns + 0x1_0000; // the width, and above it the height
    return readOutput(file, cells, oneRow, 0, region) === 0 ? undefined : cells;
  }

  return {
    attach(pid) {
      freeConsole(); // fails if we have none
      if (attachConsole(pid) === 0) return lastError();
      ignoreCtrlC(null, 1); // the user's Ctrl+C is for the session
      return 0;
    },

    processes() {
      const pids = Buffer.alloc(MAX_PROCESSES * 4);
      const count = Math.min(processList(pids, MAX_PROCESSES), MAX_PROCESSES);
      return Array.from({ length: count }, (_, index) => pids.readUInt32LE(index * 4));
    },

    write(keys) {
      const records = Buffer.concat(keys.flatMap((key) => [record(key, 1), record(key, 0)]));
      const written = Buffer.alloc(4);
      const count = keys.length * 2;
      withFile('CONIN$', (file) => writeInput(file, records, count, written));
      return Math.floor(written.readUInt32LE() / 2);
    },

    cells() {
      return withFile('CONOUT$', (file) => {
        const info = Buffer.alloc(SCREEN_INFO_BYTES);
        if (screenInfo(file, info) === 0) return undefined;
        const at = (index: number) => info.readInt16LE(index * 2);
        const [column, row, left, top, right, bottom] = [2, 3, 5, 6, 7, 8].map(at) as [
          number,
          number,
          number,
          number,
          number,
          number,
        ];
        const rows: Buffer[] = [];
        for (let y = top; y <= bottom; y++) {
          const cells = readRow(file, y, left, right);
          if (cells === undefined) return undefined;
          rows.push(cells);
        }
        return { rows, cursor: { row: row - top, column: column - left } };
      });
    },
  };
}

/** An INPUT_RECORD that holds a KEY_EVENT_RECORD. */
function record(
  { virtualKey, scanCode, character, controlState }: KeyEvent,
  isDown: 0 | 1,
): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES);
  bytes.writeUInt16LE(KEY_EVENT, 0);
  bytes.writeUInt32LE(isDown, 4);
  bytes.writeUInt16LE(1, 8); // pressed once
  bytes.writeUInt16LE(virtualKey, 10);
  bytes.writeUInt16LE(scanCode, 12);
  bytes.writeUInt16LE(character, 14);
  bytes.writeUInt32LE(controlState, 16);
  return bytes;
}
