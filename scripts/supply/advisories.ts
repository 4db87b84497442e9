/** A known vulnerability of a package, from the registry. */
export interface Advisory {
  readonly id: string
  readonly package: string
  readonly severity: string
  readonly title: string
  readonly url: string
}

/** An advisory accepted until a day, from local-services/advisories.json. */
export interface Exception {
  readonly advisory: string
  readonly package: string
  readonly reason: string
  /** The last day, as `2027-01-31`. */
  readonly until: string
}

interface Via {
  readonly name: string
  readonly title: string
  readonly url: string
  readonly severity: string
}

/** Output of `npm audit --json`: a report, or an error message. */
interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (Via | string)[] }>>
  readonly message?: string
}

const grave: ReadonlySet<string> = new Set(['high', 'critical'])

/**
 * High and critical advisories, without duplicates; `away`: why the registry gave no report.
 * Throws for any other output.
 */
export function readReport(text: string): { readonly advisories: readonly Advisory[] } | { readonly away: string } {
  const { vulnerabilities, message } = JSON.parse(text) as Audit
  if (vulnerabilities === undefined) {
    // Failures of npm itself have other messages and must be fixed.
    if (message?.includes('/advisories/') === true) return { away: message }
    throw new Error(`npm audit made no report: ${text.slice(0, 500)}`)
  }
  const told = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one === 'object'))
  const found = told
    .filter(({ severity }) => grave.has(severity))
    .map(({ name, title, url, severity }) => {
      const id = url.slice(url.lastIndexOf('/') + 1)
      return [`${id} ${name}`, { id, package: name, severity, title, url }] as const
    })
  return { advisories: [...new Map(found).values()] }
}

/** A line per advisory, and whether any is not accepted. Exceptions apply to one package each. */
export function judged(
  advisories: readonly Advisory[],
  exceptions: readonly Exception[],
  now: Date,
): { readonly lines: readonly string[]; readonly failed: boolean } {
  const today = now.toISOString().slice(0, 10)
  const isOf = (one: Exception, { id, package: name }: Advisory) => one.advisory === id && one.package === name
  const open = advisories.filter((found) => !exceptions.some((one) => isOf(one, found) && today <= one.until))
  const lines = advisories.map((found) => {
    const excepted = exceptions.find((one) => isOf(one, found))
    const about = `${found.severity}: ${found.package}: ${found.title} (${found.url})`
    if (excepted === undefined) return about
    return `${about}; ${open.includes(found) ? 'was' : 'is'} excepted until ${excepted.until}: ${excepted.reason}`
  })
  const idle = exceptions.filter((one) => !advisories.some((found) => isOf(one, found)))
  return {
    lines: [
      ...lines,
      ...idle.map(({ advisory, package: name }) => `no longer told of ${name}: take the exception for ${advisory} out`),
      `${advisories.length} high or critical, ${open.length} of them not excepted`,
    ],
    failed: open.length > 0,
  }
}
