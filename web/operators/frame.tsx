import type { ComponentChildren, JSX } from 'preact'
import { ActionForm } from '../parts/dashboard.tsx'
import { Layout, Named } from '../parts/layout.tsx'
import { Menu } from '../parts/menu.tsx'
import type { MenuPlace } from '../parts/menu.tsx'
import type { Operator } from '../../core/http/operator-session.ts'

/** Layout of the admin port's pages; no operator: not signed in. */
export function Frame(props: {
  readonly title: string
  readonly operator?: Operator
  readonly temporalUiUrl?: string
  readonly wide?: boolean
  readonly children: ComponentChildren
}): JSX.Element {
  const { title, operator, temporalUiUrl, wide, children } = props
  return (
    <Layout
      title={`${title} · Operators`}
      wide={wide === true}
      top={
        operator
          ? { side: <Side operator={operator} temporalUiUrl={temporalUiUrl} /> }
          : { bar: <span class="hint">Operators</span> }
      }
    >
      {children}
    </Layout>
  )
}

function Side(props: { readonly operator: Operator; readonly temporalUiUrl: string | undefined }): JSX.Element {
  return (
    <>
      <Menu class="menu" places={placesOf(props.temporalUiUrl)} />
      <SignOut operator={props.operator} />
    </>
  )
}

function SignOut({ operator }: { readonly operator: Operator }): JSX.Element {
  return (
    <ActionForm viewer={operator} action="/logout" class="viewer">
      <span class="email" title="Signed in as an operator">
        {operator.actor}
      </span>
      <button class="quiet" type="submit">
        Sign out
      </button>
    </ActionForm>
  )
}

function placesOf(temporalUiUrl: string | undefined): readonly MenuPlace[] {
  return [
    ['/', <Named icon="home" name="Overview" />, '/apps'],
    ['/calls', <Named icon="queue-list" name="Calls" />],
    ['/calls?look=stuck', <Named icon="clock" name="Stuck" />],
    ['/calls?look=unresolved', <Named icon="question-mark-circle" name="Unknown" />],
    ['/log', <Named icon="document-text" name="Log" />],
    ['/security', <Named icon="shield-check" name="Security" />],
    ['/operators', <Named icon="users" name="Operators" />],
    ...(temporalUiUrl === undefined
      ? []
      : [[temporalUiUrl, <Named icon="wrench-screwdriver" name="Temporal UI" />] as const]),
  ]
}

export function OperatorErrorPage(props: {
  readonly status: number
  readonly title: string
  readonly message: string
}): JSX.Element {
  return (
    <Frame title={props.title}>
      <article class="card lone">
        <p class="eyebrow">Error {props.status}</p>
        <h1>{props.title}</h1>
        <p>{props.message}</p>
        <p>
          <a href="/">To the overview</a>
        </p>
      </article>
    </Frame>
  )
}
