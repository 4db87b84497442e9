import { anyHost } from '../../connectors/runtime/added.ts'
import type { App } from '../../connectors/registry.ts'
import { isOwnNetwork } from '../../core/notices/address.ts'
import { plainLine } from '../../connectors/runtime/plain-line.ts'
import { surfaceOf } from '../../connectors/runtime/surface.ts'
import type { Surface } from '../../connectors/runtime/surface.ts'

/** The installed version. `surface`: null if the gateway cannot load it. */
export interface Installed {
  readonly package: string
  readonly hosts: readonly string[]
  readonly trusted: readonly string[]
  readonly surface: Surface | null
}

/** What an operator is asked to trust: hosts, endpoints, and differences from `installed`. */
export function shown(app: App, hosts: readonly string[], installed?: Installed): string {
  const { leaves, endpoints } = surfaceOf(app)
  const width = Math.max(...Object.keys(endpoints).map((name) => name.length), 0)
  return [
    plainLine(`${app.slug}: ${app.name} (${app.added?.package ?? 'built in'})`),
    '',
    'It may reach',
    ...hosts.map((host) => `  ${reach(host)}`),
    '',
    'Without an approval, it sends',
    '  reads and pages by GET, with what their callers give',
    ...leaves.map((line) => `  ${line}`),
    '',
    'Its endpoints',
    ...Object.entries(endpoints).map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
    '',
    ...(installed === undefined ? [] : changed(installed, { hosts, surface: { leaves, endpoints } })),
  ].join('\n')
}

function reach(host: string): string {
  if (host === anyHost) return 'ANY ADDRESS THAT ITS USERS TYPE'
  const url = URL.parse(host)
  const notes = [
    ...(host.startsWith('http:') ? ['NOT ENCRYPTED'] : []),
    ...(url !== null && isOwnNetwork(url) ? [`REACHES THE PRIVATE ADDRESS ${plainLine(url.hostname)}`] : []),
  ]
  return [plainLine(host), ...notes].join('  ')
}

function changed(before: Installed, now: { readonly hosts: readonly string[]; readonly surface: Surface }): string[] {
  const { surface: was, trusted } = before
  const { endpoints } = now.surface
  const lines = [
    ...compared('host', before.hosts, now.hosts),
    ...(was === null
      ? ['? The gateway cannot load what it has: endpoints cannot be compared.']
      : [
          ...compared('without an approval', was.leaves, now.surface.leaves),
          ...comparedEndpoints(was.endpoints, endpoints),
        ]),
    ...trusted.map((name) =>
      Object.hasOwn(endpoints, name) ? `- your trust in ${name} ends` : `- ${name}, which you trusted, is gone`,
    ),
  ].map((line) => `  ${plainLine(line)}`)
  return [`Changed against ${plainLine(before.package)}`, ...(lines.length > 0 ? lines : ['  nothing of this']), '']
}

function compared(what: string, before: readonly string[], now: readonly string[]): string[] {
  return [
    ...before.filter((line) => !now.includes(line)).map((line) => `- ${what}: ${line}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `+ ${what}: ${line}`),
  ]
}

function comparedEndpoints(before: Surface['endpoints'], now: Surface['endpoints']): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return names.flatMap((name) => {
    const [was, is] = [before, now].map((all) => (Object.hasOwn(all, name) ? all[name] : undefined))
    if (was === is) return []
    if (was === undefined) return [`+ ${name}: ${is}`]
    return [is === undefined ? `- ${name}: ${was}` : `~ ${name}: ${was} -> ${is}`]
  })
}
