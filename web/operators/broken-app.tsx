import type { JSX } from 'preact'
import type { BrokenApp } from '../../connectors/runtime/load.ts'
import { Text } from '../parts/text.tsx'
import { Frame } from './frame.tsx'
import type { Operator } from '../../core/http/operator-session.ts'

/** An app whose connector failed to load: the problem and its effect. */
export function BrokenNotice({ app }: { readonly app: BrokenApp }): JSX.Element {
  const { slug, file, problem, isAdded = false } = app
  return (
    <p class="notice bad" role="alert">
      <a href={`/apps/${slug}`}>
        <strong>{slug}</strong>
      </a>{' '}
      is off, because its connector cannot be used. <code>{file}</code>: <Text value={problem} />
      {isAdded && (
        <>
          . Run <code>callgate connector update</code> with its folder or package.
        </>
      )}
    </p>
  )
}

export function BrokenAppPage(props: {
  readonly operator: Operator
  readonly app: BrokenApp
  readonly temporalUiUrl: string
}): JSX.Element {
  const { operator, app, temporalUiUrl } = props
  return (
    <Frame title={app.slug} operator={operator} temporalUiUrl={temporalUiUrl} wide>
      <p class="eyebrow">
        <a href="/">Overview</a>
      </p>
      <h1>{app.slug}</h1>
      <BrokenNotice app={app} />
      <p>
        New calls of it are refused with 503, and nothing is sent. <a href={`/calls?app=${app.slug}`}>Its calls</a> that
        were accepted wait, and go on once the connector is mended and the API and worker processes have been restarted.
        All other apps serve.
      </p>
    </Frame>
  )
}
