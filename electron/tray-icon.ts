/**
 * The tray's picture as the system wants it: one image with a representation for each density, a
 * template on macOS (G1).
 */
import { type NativeImage, nativeImage, nativeTheme, screen } from 'electron';
import { panelFor, type TrayLook, trayPng } from './tray-look.ts';

/** Panels are 22 points high on Linux and macOS; Windows has icons of 16. */
const POINTS = process.platform === 'win32' ? 16 : 22;

export function trayImage(look: TrayLook): NativeImage {
  const panel = panelFor(
    process.platform,
    nativeTheme.shouldUseDarkColors,
    process.env.XDG_CURRENT_DESKTOP,
  );
  const image = nativeImage.createEmpty();
  for (const { scaleFactor, size } of densities()) {
    image.addRepresentation({
      scaleFactor,
      width: size,
      height: size,
      buffer: trayPng(look, size, panel),
    });
  }
  image.setTemplateImage(panel === 'template');
  return image;
}

/**
 * A Linux panel is sent the largest one alone and would shrink it, figures and all: it gets the one
 * that fits the screen.
 */
function densities(): { scaleFactor: number; size: number }[] {
  if (process.platform !== 'linux')
    return [1, 1.5, 2, 3].map((scaleFactor) => ({
      scaleFactor,
      size: Math.round(POINTS * scaleFactor),
    }));
  const densest = Math.max(...screen.getAllDisplays().map(({ scaleFactor }) => scaleFactor));
  return [{ scaleFactor: 1, size: POINTS * Math.ceil(densest) }];
}
