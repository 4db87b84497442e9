/** Where an app is: one address for everybody, or one that each person types when they connect. */
export type Origin = string | AskedOrigin

export type AskedOrigin = OneLabel | SelfHosted

/** One name in a host tells the accounts apart: `https://{shop}.example.com/`. */
interface OneLabel {
  /** What the person is asked for: `Address of your shop`. */
  readonly ask: string
  /** The address of the app's root, with the name in braces as one label of the host. Ends in a slash. */
  readonly pattern: string
}

/** Anywhere: whoever hosts it chose the address. */
interface SelfHosted {
  readonly ask: string
  readonly selfHosted: true
}

/** A pattern, taken apart around its one label. */
export interface HostPattern {
  readonly protocol: string
  readonly before: string
  readonly after: string
  readonly path: string
}

const form = /^(https?:)\/\/([a-z0-9.-]*)\{[a-z_]+\}([a-z0-9.-]+(?::\d+)?)(\/[^\s?#{}]*)$/

/** Throws what is wrong with a pattern. */
export function parsePattern(pattern: string): HostPattern {
  const [, protocol = '', before = '', after = '', path = ''] = form.exec(pattern) ?? []
  const whole = (before === '' || before.endsWith('.')) && /^\.[a-z0-9-]+(?:\.|:|$)/.test(after)
  if (!whole || !path.endsWith('/') || !URL.canParse(`${protocol}//${before}x${after}${path}`))
    throw new Error(`"${pattern}" is no address with one label of its host in braces: https://{shop}.example.com/`)
  return { protocol, before, after, path }
}
