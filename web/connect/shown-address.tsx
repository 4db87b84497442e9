import { domainToUnicode } from 'node:url'
import { renderToString } from 'preact-render-to-string'
import { Text } from '../parts/text.tsx'
import { isShown } from './browser/request-filter.ts'

/** The address of a page, so that users see where their password goes. */
interface ShownAddress {
  /** In ASCII, with its port, so that none looks like another; '' without a page. */
  readonly host: string
  /** Whether the connection is encrypted (https). */
  readonly encrypted: boolean
  /** HTML: the host in its own script, with look-alike characters marked; '' if it is ASCII. */
  readonly written: string
  readonly path: string
}

const longestPath = 200

export function shownAddress(address: string): ShownAddress {
  const url = isShown(address) ? URL.parse(address) : null
  if (url === null) return { host: '', encrypted: false, written: '', path: '' }
  const letters = domainToUnicode(url.hostname)
  return {
    host: url.host,
    encrypted: url.protocol === 'https:',
    written: letters === url.hostname ? '' : renderToString(<Text value={letters} />),
    path: url.pathname.slice(0, longestPath),
  }
}
