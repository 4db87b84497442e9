import { hash32 } from '../platform/random.ts'
import { invalid, readText } from './input.ts'

interface Fetched {
  file: string
  format: string
  kb: number
}

const privateHost =
  /^(\[.*\]|[^.]*|.*\.(localhost|local|internal|invalid)|0\..*|10\..*|127\..*|169\.254\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/

export const formats = ['PDF', 'DOCX', 'PPTX', 'XLSX', 'ZIP', 'PNG', 'JPG', 'MP3'] as const

/** The last part of a path, as people would write it; broken escapes stay as they are. */
function lastName(path: string): string {
  const name = path.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name).replaceAll('/', '_').slice(-120)
  } catch {
    return name.slice(-120)
  }
}

/** What lies at an address is told from the address alone: the sandbox never leaves the machine. */
export function fetchFile(value: unknown, field: string): Fetched {
  const link = readText(value, field, 2000)
  if (link === '') throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  const url = URL.canParse(link) ? new URL(link) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw invalid('LINK_INVALID', `${field} must be the http(s) address of a file.`, field)
  }
  if (privateHost.test(url.hostname)) throw invalid('LINK_NOT_PUBLIC', 'We cannot reach this address.', field)
  if (/missing|not-found|404/.test(url.pathname)) throw invalid('FILE_NOT_FOUND', 'There is no file there.', field)
  const file = lastName(url.pathname)
  const ending = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toUpperCase()
  const format = formats.find((one) => one === ending)
  if (format === undefined) throw invalid('FORMAT_UNKNOWN', `We take ${formats.join(', ')}.`, field)
  return { file, format, kb: 80 + (hash32(link) % 60_000) }
}
