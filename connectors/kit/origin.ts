/** Where an app is: one URL for all accounts, or one that each user enters when connecting. */
export type Origin = string | AskedOrigin

export type AskedOrigin = OneLabel | SelfHosted

/** A subdomain per account: `https://{shop}.example.com/`. */
interface OneLabel {
  /** Prompt for the user: `Address of your shop`. */
  readonly ask: string
  /** The app's root URL, with one host label in braces. Ends in a slash. */
  readonly pattern: string
}

/** Self-hosted, at any URL. */
interface SelfHosted {
  readonly ask: string
  readonly selfHosted: true
}

/** A pattern, split around its label. */
export interface HostPattern {
  readonly protocol: string
  readonly before: string
  readonly after: string
  readonly path: string
}

const form = /^(https?:)\/\/([a-z0-9.-]*)\{[a-z_]+\}([a-z0-9.-]+(?::\d+)?)(\/[^\s?#{}]*)$/

/** Throws an error that describes what is wrong with the pattern. */
export function parsePattern(pattern: string): HostPattern {
  const [, protocol = '', before = '', after = '', path = ''] = form.exec(pattern) ?? []
  const whole = (before === '' || before.endsWith('.')) && /^\.[a-z0-9-]+(?:\.|:|$)/.test(after)
  if (!whole || !path.endsWith('/') || !URL.canParse(`${protocol}//${before}x${after}${path}`))
    throw new Error(`"${pattern}" is no address with one label of its host in braces: https://{shop}.example.com/`)
  return { protocol, before, after, path }
}
