import { domainToASCII } from 'node:url'

/** URLs with a scheme, and bare host names with an ASCII top-level domain. */
const addresses =
  /https?:[/\\]{0,9}(?<authority>[^\s/\\?#<>"]{1,300})|(?<![\p{L}\p{M}\p{N}.@-])(?<bare>(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,8}[a-z]{2,24})(?![\p{L}\p{M}\p{N}])/giu

/**
 * ASCII hosts of the addresses in a text, by the index at which each ends: only of hosts with
 * non-ASCII characters, and of addresses that name another host before an @.
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
