/**
 * Paths as people write them: `~` for their own folder, as far as the place of our own files tells
 * which that is.
 */

export function shortPath(path: string, ourHome: string | undefined): string {
  const user = userFolder(ourHome);
  if (user === undefined || !path.startsWith(user) || !/^[\\/]/.test(path.slice(user.length)))
    return path;
  return `~${path.slice(user.length)}`;
}

/** The same for all of them in a text. */
export function shortPaths(text: string, ourHome: string | undefined): string {
  const user = userFolder(ourHome);
  return user === undefined
    ? text
    : text.replaceAll(`${user}/`, '~/').replaceAll(`${user}\\`, '~\\');
}

function userFolder(ourHome: string | undefined): string | undefined {
  return ourHome?.match(/^(.+)[\\/]\.claude[\\/]memory-keeper$/)?.[1];
}
