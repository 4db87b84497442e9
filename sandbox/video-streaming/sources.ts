import { hash32 } from '../platform/random.ts'
import { invalid } from './input.ts'

const privateHost =
  /^(\[.*\]|[^.]*|.*\.(localhost|local|internal|invalid)|0\..*|10\..*|127\..*|169\.254\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/

/**
 * What is at an address is told from the address alone: the sandbox never leaves the machine. Answers how long it plays
 * and how many seconds the encoding takes: 10 minutes to 2 hours for MP4, up to 72 hours for everything else.
 */
export function fetched(source: string): { lengthMs: number; encoding: number } {
  const url = URL.canParse(source) ? new URL(source) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw invalid('SOURCE_INVALID', 'source must be an http or https address.', 'source')
  }
  if (privateHost.test(url.hostname)) throw invalid('SOURCE_NOT_PUBLIC', 'source must be reachable by us.', 'source')
  if (/missing|not-found|404/.test(url.pathname)) {
    throw invalid('SOURCE_NOT_FOUND', 'There is nothing at this address.', 'source')
  }
  const ending = /\.([a-z0-9]{1,5})$/i.exec(url.pathname)?.[1]?.toLowerCase()
  if (ending !== undefined && !/^(mp4|m4v|mov|mkv|webm|avi|wmv|mpg|mpeg)$/.test(ending)) {
    throw invalid('NOT_A_VIDEO', `A .${ending} file is no video.`, 'source')
  }
  const chance = hash32(source)
  const encoding = ending === 'mp4' ? 600 + (chance % 6600) : 7200 + (chance % 252_000)
  return { lengthMs: 60_000 + (chance % 5_400_000), encoding }
}
