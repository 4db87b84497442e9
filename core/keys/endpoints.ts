/** By app, the endpoints that a key may call; an app that is not listed has no limit. */
export type KeyEndpoints = Readonly<Record<string, readonly string[]>>

/** The app's endpoints that the key is limited to; undefined: no limit. */
export function endpointsOf(endpoints: KeyEndpoints | null, app: string): readonly string[] | undefined {
  return endpoints !== null && Object.hasOwn(endpoints, app) ? endpoints[app] : undefined
}

/** For the audit log, each as `app/endpoint`; null: no limit. */
export function inWords(endpoints: KeyEndpoints | null): readonly string[] | null {
  if (endpoints === null) return null
  return Object.entries(endpoints).flatMap(([app, names]) => names.map((name) => `${app}/${name}`))
}
