import type { JSX } from 'preact'
import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Look } from '../../core/calls/findings.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { Changes } from '../confirm/changes.tsx'
import { ProgramSays } from '../confirm/asker.tsx'
import { MetadataList } from '../parts/metadata.tsx'
import { AgentSays } from '../confirm/reason.tsx'
import { CallFiles } from '../parts/call-files.tsx'
import { CallStatus } from '../parts/call-status.tsx'
import { LiveStatus } from '../live/events-parts.tsx'
import { actionOf } from '../parts/declared.ts'
import { FormLines } from '../parts/form-lines.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Locked } from '../parts/locked.tsx'
import { Text } from '../parts/text.tsx'
import { Known } from '../parts/things.ts'
import type { KnownThings } from '../parts/things.ts'
import { counted } from '../parts/time.tsx'
import { ToldThings } from '../parts/told-things.tsx'
import { connectPath } from '../parts/told-view.ts'
import type { ToldView } from '../parts/told-view.ts'
import { Fields } from '../parts/value.tsx'
import { CallActions } from './call-parts.tsx'
import { Timeline } from './timeline.tsx'
import type { CallStory } from './call-story.ts'
import { isLooking } from './look-parts.tsx'
import { FlashMessage } from '../parts/dashboard.tsx'

interface CallProps {
  readonly viewer: Viewer
  readonly row: CallRow
  readonly record: CallRecord
  readonly app: App | undefined
  readonly appName: string
  readonly endpoint: Endpoint | undefined
  readonly story: CallStory
  /** The agent's reason for the call. */
  readonly why: string | undefined
  /** Undefined once it was deleted, or if it cannot be decrypted. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  /** The agent's input, where the user edited it. */
  readonly original: Readonly<Record<string, unknown>> | undefined
  /** Part of the call cannot be decrypted and is omitted. */
  readonly locked: boolean
  /** Retention of the call's content, in days. */
  readonly retentionDays: number
  /** Verification of a call that ended `unknown`. */
  readonly look: Look | undefined
  /** Known entities. */
  readonly things: KnownThings
  /** The files as fetched. */
  readonly files: readonly CallFile[]
  /** The form to be sent, field by field. */
  readonly form: readonly FormLine[]
  /** The preview. */
  readonly told: ToldView
  /** The call's run in the Temporal UI. */
  readonly runUrl: string
  readonly said: string | null
  /** It could no longer be cancelled. */
  readonly tooLate: boolean
}

const messages: Readonly<Record<string, string>> = {
  cancelled: 'Taken back. Nothing was sent.',
  recorded: 'Recorded.',
  looked: 'Callgate asks the app at most once a minute, and only about uncertain calls.',
}

export function CallPage(props: CallProps): JSX.Element {
  const { viewer, row, record, appName, endpoint, input, runUrl, story } = props
  const open = row.status === 'awaiting_confirmation'
  return (
    <Layout
      title={`${actionOf(endpoint, row.endpoint)} · ${appName}`}
      viewer={viewer}
      wide
      refresh={record.status === 'running' || isLooking(props.look) ? 3 : undefined}
    >
      <p class="eyebrow">
        <a href="/calls">Calls</a> · {appName} · <Text value={row.account_label} />
      </p>
      <h1>{actionOf(endpoint, row.endpoint)}</h1>
      {endpoint && <p class="lead">{endpoint.summary}</p>}
      <FlashMessage what={props.said} words={messages} />
      {props.tooLate && (
        <p class="notice bad" role="alert">
          Too late to take back: it was already being sent, or had ended. This is what happened:
        </p>
      )}
      <div class="columns">
        <div>
          <article class="card">
            <LiveStatus row={row} record={record}>
              <CallStatus
                row={row}
                record={record}
                appName={appName}
                open={open}
                outputSchema={endpoint?.outputSchema}
              />
            </LiveStatus>
            <Known.Provider value={props.things}>
              <CallActions viewer={viewer} row={row} app={props.app} look={props.look} />
            </Known.Provider>
            <ProgramSays client={row.client} />
            <AgentSays why={props.why} />
            <MetadataList metadata={row.metadata} />
            {props.told.things.length > 0 && (
              <>
                <h2>What it was about</h2>
                <ToldThings {...props.told} appName={appName} connectUrl={connectPath(row)} at={row.previewed_at} />
              </>
            )}
            <h2>What was asked for</h2>
            {props.locked && <Locked />}
            {input === undefined ? (
              !props.locked && (
                <p class="empty">The content was deleted: it is kept for {counted(props.retentionDays, 'day')}.</p>
              )
            ) : (
              <Known.Provider value={props.things}>
                <Fields value={input} schema={endpoint?.inputSchema} />
                <CallFiles row={row} files={props.files} />
                <FormLines lines={props.form} appName={appName} />
              </Known.Provider>
            )}
            <Changes original={props.original} input={input} schema={endpoint?.inputSchema} things={props.things} />
          </article>
        </div>
        <div>
          <section class="card" aria-labelledby="when">
            <h2 id="when">What happened when</h2>
            <Timeline row={row} appName={appName} story={story} />
            {story.steps === undefined && <p class="hint">The details of sending are no longer kept.</p>}
            <details>
              <summary>For the operator</summary>
              <p class="hint">
                <code>
                  {row.app}.{row.endpoint}
                </code>{' '}
                <code>{row.id}</code> · <a href={runUrl}>Its run in the Temporal UI</a>, kept until the engine's
                retention is over
              </p>
            </details>
          </section>
        </div>
      </div>
    </Layout>
  )
}
