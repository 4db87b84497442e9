import type { Settings } from './settings.ts'

export interface ExampleCall {
  /** Below `/api/v1`, e.g. `/property-advertising/list_listings`. */
  path: string
  body: unknown
}

/** Text printed after startup: URLs, and example calls to paste. */
export function greeting(
  settings: Settings,
  demo: { api_key: string; email: string; password: string; examples: { read: ExampleCall; confirm: ExampleCall } },
): string {
  const { publicUrl, sandboxUrl, temporalAddress, temporalUiUrl, dir } = settings
  const embedded = temporalAddress === undefined
  return [
    '',
    `  Callgate     ${publicUrl}`,
    ...(embedded ? [`  Temporal UI  ${temporalUiUrl}`] : []),
    `  Sandbox      ${sandboxUrl}/`,
    `  Data, logs   ${dir}`,
    '',
    '  A read, answered at once:',
    '',
    curl(publicUrl, demo.api_key, demo.examples.read),
    '',
    '  A write that asks first: open its confirm_url in a browser,',
    `  sign in as ${demo.email} with the password ${demo.password}, and approve.`,
    '',
    curl(publicUrl, demo.api_key, demo.examples.confirm),
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n')
}

/** A shell-quoted one-liner. */
export function curl(publicUrl: string, apiKey: string, { path, body }: ExampleCall): string {
  const data = JSON.stringify(body).replaceAll("'", String.raw`'\''`)
  const headers = `-H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json'`
  return `curl -s -w '\\n' '${publicUrl}/api/v1${path}' ${headers} -d '${data}'`
}
