import type { JSX } from 'preact'
import { listAccounts } from '../../core/accounts/accounts.ts'
import type { Account } from '../../core/accounts/accounts.ts'
import { claimTrace } from '../../core/connectors/traces.ts'
import type { TraceRow } from '../../core/connectors/traces.ts'
import type { App } from '../../connectors/registry.ts'
import { AddedNote } from '../parts/added-app.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { counted } from '../parts/time.tsx'
import { PageError } from '../page-error.ts'
import { replyPage } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { LiveScreen } from './page.tsx'

/** A recording that an operator asked for. The first user who opens it makes it. */
export async function showRecord({ ctx, koa, person, params }: Visit<'trace'>): Promise<void> {
  const row = await claimTrace(ctx.db, person.owner, params.trace)
  const app = row && ctx.apps.get(row.app)
  if (row === undefined || app === undefined)
    throw new PageError(404, 'Not found', 'There is no such recording for you, or its hour is over.')
  const accounts = await listAccounts(ctx, person.owner, app.slug)
  const wanted = accounts.find(({ id }) => id === koa.URL.searchParams.get('account')) ?? accounts[0]
  replyPage(koa, 200, RecordPage({ viewer: person, app, row, accounts, account: wanted }))
}

function RecordPage({
  viewer,
  app,
  row,
  accounts,
  account,
}: {
  readonly viewer: Viewer
  readonly app: App
  readonly row: TraceRow
  readonly accounts: readonly Account[]
  readonly account: Account | undefined
}): JSX.Element {
  const { name, begun_by, ended_at, kept, exchanges } = row
  const title = `Record ${name}`
  return (
    <Layout title={title} viewer={viewer} wide script="connect.js">
      <article class="card">
        <p class="eyebrow">{app.name}</p>
        <h1>{title}</h1>
        {ended_at !== null ? (
          <p class="notice good" role="status">
            {kept
              ? `Kept: ${counted(exchanges ?? 0, 'request')}, for 30 days. Whoever asked for it continues from there; you can close this page.`
              : 'Thrown away: nothing of it was kept.'}
          </p>
        ) : (
          <>
            <p>
              <strong>
                <Text value={begun_by.replace(/^operator:/, '')} />
              </strong>
              , who operates this gateway, asks you to do something in {app.name} once, so that it can become an
              endpoint.
            </p>
            <ul>
              <li>All that you do here really happens in the app.</li>
              <li>Nothing is recorded before you are signed in, and no page that asks for a password or a code.</li>
              <li>
                You see what would be kept before it is. Cookies, tokens and passwords never are; what people are called
                in the app is made up. What they wrote is kept as it stands: use things that others may see.
              </li>
              <li>What is kept is given to whoever asked.</li>
            </ul>
            <AddedNote app={app} />
            {accounts.length === 0 ? (
              <p class="notice warn">
                <a href={`/connect/${app.slug}`}>Connect your account of {app.name}</a> first, then open this page
                again.
              </p>
            ) : (
              <>
                {accounts.length > 1 && (
                  <p>
                    With{' '}
                    {accounts.map(({ id, label }) => (
                      <>
                        {id === account?.id ? (
                          <strong>
                            <Text value={label} />
                          </strong>
                        ) : (
                          <a href={`/record/${row.id}?account=${id}`}>
                            <Text value={label} />
                          </a>
                        )}{' '}
                      </>
                    ))}
                  </p>
                )}
                <LiveScreen
                  app={app}
                  heading="Recording"
                  account={account?.id}
                  record={row.id}
                  open={
                    <button class="primary" type="button" data-open>
                      Open {app.name}
                    </button>
                  }
                />
              </>
            )}
          </>
        )}
      </article>
    </Layout>
  )
}
