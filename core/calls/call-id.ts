import { encodeTime } from 'ulid'

/** Below all ids of calls from that moment on: ids grow with time, so these are one stretch of an index. */
export function callIdFrom(moment: number): string {
  return `call_${encodeTime(moment, 10)}`
}
