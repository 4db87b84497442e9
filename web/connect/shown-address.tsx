import { domainToUnicode } from 'node:url'
import { renderToString } from 'preact-render-to-string'
import { Text } from '../parts/text.tsx'
import { isShown } from './browser/request-filter.ts'

/** Where a page is, so that people see where their password goes. */
interface ShownAddress {
  /** In ASCII, with its port, so that none looks like another; '' where there is no page. */
  readonly host: string
  /** Nobody between the app and the browser reads along. */
  readonly encrypted: boolean
  /** HTML: the same in its own letters, with a mark on what may be taken for another; '' where there are no others. */
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
