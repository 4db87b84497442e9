import type { App, Endpoint } from '../../connectors/registry.ts'

/** What an endpoint declares for clients that show calls to users, in discovery and OpenAPI. */
export function declarationsOf({ access, label, brief, effect, shownBy, preview, verify }: Endpoint) {
  return {
    ...(label !== '' && { 'x-callgate-label': label }),
    'x-callgate-brief': brief,
    ...(effect !== null && { 'x-callgate-effect': effect }),
    ...(access === 'write' && { 'x-callgate-shown-by': shownBy, 'x-callgate-preview': preview }),
    ...(verify !== null && { 'x-callgate-verify': verify }),
  }
}

/** The entities of an app by kind: their labels and the reads that preview them. */
export function thingsOf({ things }: App) {
  const all = Object.entries(things).map(([kind, { label, toldBy, title, facts }]) => [
    kind,
    { label, told_by: toldBy, title, facts },
  ])
  return { 'x-callgate-things': Object.fromEntries(all) as Readonly<Record<string, object>> }
}
