import type { ComponentChildren, JSX } from 'preact'
import { openPayload, placeOf } from '../../core/calls/payload.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import type { FileOf } from '../../connectors/kit/files.ts'
import { sourceOf } from '../../connectors/runtime/fill-source.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import { Text } from '../parts/text.tsx'

/** The request, and whether an added connector made it, whose code the project has not reviewed. */
export interface ShownRequest {
  readonly request: Rendered | null
  readonly isAdded: boolean
  /** Values filled in at send time: their field or header, and where the host finds them. */
  readonly fills: readonly ShownFill[]
}

interface ShownFill {
  readonly is: 'header' | 'field'
  readonly name: string
  readonly from: string
}

/** The rendered request of a call; undefined: there is none to show. */
export function requestOf(ctx: Pick<Context, 'secrets'>, row: CallRow, app: App | undefined): ShownRequest | undefined {
  const isAdded = app?.added !== undefined
  if (row.request === null) return isAdded ? { request: null, isAdded, fills: [] } : undefined
  const request = openPayload(ctx.secrets, placeOf(row), 'request', row.request) as Rendered
  return { request, isAdded, fills: shownFills(request, app?.endpoints.get(row.endpoint)) }
}

/** The target of each filled value, and its source on the host. */
export function shownFills({ fills }: Rendered, endpoint: Endpoint | undefined): readonly ShownFill[] {
  return fills.map((fill) => ({
    ...('field' in fill ? { is: 'field', name: fill.field } : { is: 'header', name: fill.header }),
    from: sourceOf(fill, endpoint),
  }))
}

/** The exact request. Unfolded for added connectors, whose code the project has not reviewed. */
export function FullRequest({ request, isAdded, fills }: ShownRequest): JSX.Element {
  const shown = request && <RequestText request={request} fills={fills} isRead={isAdded} />
  if (!isAdded)
    return (
      <details id="request">
        <summary>Full request</summary>
        {shown}
      </details>
    )
  return (
    <div class="notice" id="request">
      <p>An operator of this gateway added this app. This is the request that its connector makes of what is above:</p>
      {shown ?? <p class="hint">It is not made yet.</p>}
    </div>
  )
}

function RequestText({
  request,
  fills,
  isRead,
}: {
  readonly request: Rendered
  readonly fills: readonly ShownFill[]
  readonly isRead: boolean
}): JSX.Element {
  return (
    <>
      <pre {...(isRead && { 'data-read': true })}>
        <Text value={`${request.method} ${request.url}`} />
        {Object.entries(request.headers).map(([name, value]) => (
          <Part name={name} is="header" key={name}>
            <Text value={value} />
          </Part>
        ))}
        {fills.map(({ is, name, from }) => (
          <Part name={name} is={is} key={`${is} ${name}`}>
            <i>
              [filled in when sent: <Text value={from} />]
            </i>
          </Part>
        ))}
        {request.body !== null && (
          <>
            {'\n\n'}
            <Body fills={fills} body={request.body} />
          </>
        )}
      </pre>
      <p class="hint">The connection’s cookies, and what its browser says of itself, go along.</p>
    </>
  )
}

/** One element per field, so that line breaks or `=` in it cannot imitate another field. */
function Part(props: {
  readonly name: string
  readonly is: 'header' | 'field'
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <span class={`part ${props.is}`}>
      <b>
        <Text value={props.name} />
      </b>
      {props.is === 'header' ? ': ' : '='}
      {props.children}
    </span>
  )
}

function Body(props: {
  readonly fills: readonly ShownFill[]
  readonly body: NonNullable<Rendered['body']>
}): JSX.Element {
  const { body } = props
  if ('text' in body) return <Text value={body.text} />
  if ('file' in body) return <FileText file={body.file} />
  const filled = new Set(props.fills.flatMap(({ is, name }) => (is === 'field' ? [name] : [])))
  // An empty field is only the placeholder of a fill, which is already shown.
  const fields = ('form' in body ? body.form : body.multipart).filter(
    ([name, value]) => value !== '' || !filled.has(name),
  )
  return (
    <>
      {fields.map(([name, value], at) => (
        <Part name={name} is="field" key={at}>
          {typeof value === 'string' ? (
            <Text value={value} />
          ) : 'noFile' in value ? (
            <i>[no file]</i>
          ) : (
            <FileText file={value} />
          )}
        </Part>
      ))}
    </>
  )
}

function FileText({ file: { name, type, size, sha256 } }: { readonly file: FileOf }): JSX.Element {
  return (
    <i>
      [file <Text value={name} />, {type}, {size} bytes, SHA-256 {sha256}]
    </i>
  )
}
