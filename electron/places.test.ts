/** Where windows stand, which files have an address, and what is written for the system's start. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWindowPlace, saveWindowPlace } from '../core/usecases/host-files.ts';
import { tempFolder } from '../tests/bed/temp-folder.ts';
import { fileBehind, isOurAddress, sessionsAddress } from './app-address.ts';
import { autostartEntry } from './autostart-entry.ts';
import { countdownBounds } from './countdown-place.ts';
import { ownProgram } from './own-program.ts';
import { visibleBounds } from './window-place.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };

describe('the place of the window', () => {
  it('G2 comes back as it was', () => {
    const places = { claude: tempFolder(), home: join(tempFolder(), 'home') };
    expect(readWindowPlace(places)).toEqual({});
    const bounds = { x: 40, y: 30, width: 900, height: 600 };
    saveWindowPlace(places, { bounds, isMaximized: true });
    expect(readWindowPlace(places)).toMatchObject({ bounds, isMaximized: true });
    expect(visibleBounds(bounds, [SCREEN])).toEqual(bounds);
  });

  it('G2 is always on a screen, and never smaller than it works', () => {
    expect(visibleBounds(undefined, [SCREEN])).toEqual({ width: 1080, height: 720 });
    expect(visibleBounds({ x: 4000, y: 10, width: 900, height: 600 }, [SCREEN])).toEqual({
      width: 900,
      height: 600,
    });
    expect(visibleBounds({ x: 10, y: -50, width: 90, height: 6000 }, [SCREEN])).not.toHaveProperty(
      'height',
      6000,
    );
    expect(visibleBounds({ x: 10, y: 10, width: 200, height: 200 }, [SCREEN])).toMatchObject({
      width: 720,
      height: 480,
    });
  });

  it('M2 a file that makes no sense is no place, and stays as it is', () => {
    const home = tempFolder();
    writeFileSync(join(home, 'window.json'), '{"bounds":{"x":"left"},"isMaximized":3}');
    expect(readWindowPlace({ claude: home, home })).toMatchObject({
      bounds: undefined,
      isMaximized: undefined,
    });
  });
});

describe('the place of the countdown', () => {
  it('A6 is in the corner of the tray, and on the screen with any number of sessions', () => {
    const panelBelow = { ...SCREEN, height: 1040 };
    const panelAbove = { ...SCREEN, y: 28, height: 1052 };
    expect(countdownBounds(1, SCREEN, panelAbove, 'linux').y).toBe(40);
    for (const platform of ['linux', 'win32'] as const) {
      const { y, height } = countdownBounds(1, SCREEN, panelBelow, platform);
      expect(y + height).toBe(1028);
    }
    for (const count of [1, 2, 9]) {
      const { x, y, width, height } = countdownBounds(count, SCREEN, panelAbove, 'darwin');
      expect([x >= 0, y >= 28, x + width <= 1920, y + height <= 1080]).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
  });
});

describe('addresses', () => {
  const FOLDER = '/opt/app/renderer';

  it('G1 carry the project that the tray wants shown behind the #, whatever it is called', () => {
    const { pathname, hash } = new URL(sessionsAddress('/home/나/a b#c'));
    expect([pathname, decodeURIComponent(hash)]).toEqual([
      '/index.html',
      '#sessions=/home/나/a b#c',
    ]);
  });

  it('G3 stand for files of the built window, and for nothing else', () => {
    expect(fileBehind('app://memory-keeper/index.html', FOLDER)?.path).toBe(
      join(FOLDER, 'index.html'),
    );
    expect(fileBehind('app://memory-keeper/assets/a-b.js?x=1#y', FOLDER)?.path).toBe(
      join(FOLDER, 'assets/a-b.js'),
    );
    const others = [
      'app://memory-keeper/../../secrets.json',
      'app://memory-keeper/..%2f..%2fsecrets.json',
      'app://memory-keeper/%2e%2e/%2e%2e/secrets.json',
      'app://memory-keeper/a%00.html',
      'app://memory-keeper/%E0%A4%A',
      'app://memory-keeper/assets/program.sh',
      'app://memory-keeper/assets',
      'app://memory-keeper.example.com/index.html',
      'file:///etc/passwd',
      'https://memory-keeper/index.html',
    ];
    for (const other of others) {
      const path = fileBehind(other, FOLDER)?.path;
      expect([other, path === undefined || path.startsWith(`${FOLDER}/`)]).toEqual([other, true]);
      expect(path ?? '').not.toContain('passwd');
    }
    expect(isOurAddress('app://memory-keeper.example.com/index.html')).toBe(false);
  });
});

describe('the program that this application is', () => {
  it('G8 B4 is where the package lies, not where it is unpacked for one run', () => {
    expect(ownProgram({}, '/opt/Memory Keeper/memory-keeper')).toEqual({
      path: '/opt/Memory Keeper/memory-keeper',
      isPortable: false,
    });
    const inside = { APPIMAGE: '/home/kim/Memory-Keeper.AppImage', APPDIR: '/tmp/.mount_MemorXYZ' };
    expect(ownProgram(inside, '/tmp/.mount_MemorXYZ/memory-keeper').path).toBe(inside.APPIMAGE);
    const portable = { PORTABLE_EXECUTABLE_FILE: 'D:\\Memory-Keeper-portable.exe' };
    const unpacked = 'C:\\Users\\kim\\AppData\\Local\\Temp\\2abc\\Memory Keeper.exe';
    expect(ownProgram(portable, unpacked)).toEqual({
      path: portable.PORTABLE_EXECUTABLE_FILE,
      isPortable: true,
    });
  });

  it('G1 is not the AppImage of a terminal that it happens to be started in', () => {
    const terminals = { APPIMAGE: '/home/kim/terminal.AppImage', APPDIR: '/tmp/.mount_termin' };
    expect(ownProgram(terminals, '/opt/Memory Keeper/memory-keeper').path).toBe(
      '/opt/Memory Keeper/memory-keeper',
    );
  });
});

describe('the entry for the login', () => {
  it('G1 starts the application hidden, whatever its path is called', () => {
    const entry = autostartEntry(['/opt/Memory Keeper/100% "mine" $HOME/app']);
    expect(entry).toContain(
      String.raw`Exec="/opt/Memory Keeper/100%% \\"mine\\" \\$HOME/app" "--hidden"`,
    );
    expect(entry.startsWith('[Desktop Entry]\nType=Application\n')).toBe(true);
  });
});
