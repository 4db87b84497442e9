import { OptionError } from './errors.ts'

/** The gateway's address, without a slash at its end. Throws `OptionError` for what is no address. */
export function addressOf(url: string): string {
  if (!isAddress(url))
    throw new OptionError(
      `"${url}" is no address of a gateway: it begins with http:// or https://, and ends in /api/v1.`,
    )
  return url.replace(/\/+$/, '')
}

export function isAddress(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}
