/** For hosts whose output Claude may read: the escaping of everything that it is given (T3). */
export { escapeMarkers } from '../platform/text/escape-markers.ts';
