import type { JSX } from 'preact'
import { openPayload, placeOf } from '../../core/calls/payload.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import type { App } from '../../connectors/registry.ts'
import type { FileOf } from '../../connectors/kit/files.ts'
import { headersThatMatter } from '../../connectors/runtime/rendered.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import { Text } from '../parts/text.tsx'

/** The request of a call of an app that an operator added, as it was rendered; undefined for other apps. */
export function requestOf(
  ctx: Pick<Context, 'secrets'>,
  row: CallRow,
  app: App | undefined,
): Rendered | null | undefined {
  if (app?.added === undefined) return undefined
  return row.request === null ? null : (openPayload(ctx.secrets, placeOf(row), 'request', row.request) as Rendered)
}

/** Nobody of the project has looked at such an app's connector: what it makes of the input is shown as it leaves. */
export function RequestOfAdded({ request }: { request: Rendered | null }): JSX.Element {
  return (
    <div class="notice" id="request">
      <p>An operator of this gateway added this app. This is the request that its connector makes of what is above:</p>
      {request === null ? (
        <p class="hint">It is not made yet.</p>
      ) : (
        <pre data-read>
          <Text value={[`${request.method} ${request.url}`, ...headersThatMatter(request).map(header)].join('\n')} />
          {request.body !== null && (
            <>
              {'\n\n'}
              <Text value={bodyText(request.body)} />
            </>
          )}
        </pre>
      )}
    </div>
  )
}

function header([name, value]: readonly [string, string]): string {
  return `${name}: ${value}`
}

function bodyText(body: NonNullable<Rendered['body']>): string {
  if ('text' in body) return body.text
  if ('file' in body) return fileText(body.file)
  const fields = 'form' in body ? body.form : body.multipart
  return fields
    .map(
      ([name, value]) =>
        `${name}=${typeof value === 'string' ? value : 'noFile' in value ? '[no file]' : fileText(value)}`,
    )
    .join('\n')
}

function fileText({ name, type, size, sha256 }: FileOf): string {
  return `[file ${name}, ${type}, ${size} bytes, SHA-256 ${sha256}]`
}
