import { domainToASCII } from 'node:url'

/** Addresses with a scheme, and bare names of hosts that end in ASCII as those of most sites do. */
const addresses =
  /https?:[/\\]{0,9}(?<authority>[^\s/\\?#<>"]{1,300})|(?<![\p{L}\p{M}\p{N}.@-])(?<bare>(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,8}[a-z]{2,24})(?![\p{L}\p{M}\p{N}])/giu

/**
 * Where the addresses in a text lead, by the place where each ends, in ASCII: for those whose host has other characters, or that name
 * another before an @.
 */
export function linkHosts(text: string): ReadonlyMap<number, string> {
  const hosts = new Map<number, string>()
  for (const { index, 0: whole, groups } of text.matchAll(addresses)) {
    const { authority, bare = '' } = groups ?? {}
    const named = authority ?? bare
    if (!named.includes('@') && /^[\x00-\x7f]*$/.test(named)) continue
    const host =
      authority === undefined
        ? domainToASCII(bare)
        : (URL.parse(`https://${authority.replace(/[.,;:!?)]+$/, '')}`)?.host ?? '')
    hosts.set(index + whole.length, host === '' ? 'leads nowhere' : `leads to ${host}`)
  }
  return hosts
}
