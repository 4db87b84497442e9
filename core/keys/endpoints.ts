/** Of some apps, the endpoints that a key may call; of an app that is not among them it may call all. */
export type KeyEndpoints = Readonly<Record<string, readonly string[]>>

/** Those of the app that the key is limited to; undefined: it may call all of them. */
export function endpointsOf(endpoints: KeyEndpoints | null, app: string): readonly string[] | undefined {
  return endpoints !== null && Object.hasOwn(endpoints, app) ? endpoints[app] : undefined
}

/** For the log: each as `app/endpoint`; null: without a limit. */
export function inWords(endpoints: KeyEndpoints | null): readonly string[] | null {
  if (endpoints === null) return null
  return Object.entries(endpoints).flatMap(([app, names]) => names.map((name) => `${app}/${name}`))
}
