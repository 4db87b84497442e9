import { invalid } from './input.ts'

const privateHost =
  /^(\[.*\]|[^.]*|.*\.(localhost|local|internal|invalid)|0\..*|10\..*|127\..*|169\.254\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/

/** What is at an address is told from the address alone: the sandbox never leaves the machine. */
export function checkFile(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.pathname.endsWith('/')) {
    throw invalid('FILE_INVALID', 'file_from must be the http or https address of a file.', 'file_from')
  }
  if (privateHost.test(url.hostname)) throw invalid('FILE_NOT_PUBLIC', 'We cannot reach this address.', 'file_from')
  if (/missing|not-found|404/.test(url.pathname)) {
    throw invalid('FILE_NOT_FOUND', 'There is no file at this address.', 'file_from')
  }
}

export const fileName = (address: string): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1) ?? ''
