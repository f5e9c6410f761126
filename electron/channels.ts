/** Names of the IPC channels between a page and the main process. */
export const CHANNELS = {
  call: 'memory-keeper:call',
  event: 'memory-keeper:event',
  link: 'memory-keeper:link',
  choose: 'memory-keeper:choose',
} as const;
