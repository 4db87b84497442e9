import type { JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import { AskedAgain } from '../confirm/asked-again.tsx'
import { AgentSays } from '../confirm/reason.tsx'
import { CallFiles } from '../parts/call-files.tsx'
import { Warnings } from '../parts/call-warnings.tsx'
import { actionOf } from '../parts/declared.ts'
import { inOneLine } from '../parts/in-short.ts'
import { Text } from '../parts/text.tsx'
import { Known } from '../parts/things.ts'
import { counted, inWords, Time } from '../parts/time.tsx'
import { gistOf } from '../parts/told.ts'
import { FormLines } from '../parts/form-lines.tsx'
import { ToldThings } from '../parts/told-things.tsx'
import { connectPath } from '../parts/told-view.ts'
import { Fields, isLong } from '../parts/value.tsx'
import { isTickable, tickOf } from './waiting-call.ts'
import type { WaitingCall } from './waiting-call.ts'

/** A call of the list, folded. */
export function Waiting({
  call,
  ticked,
}: {
  readonly call: WaitingCall
  readonly ticked: readonly string[]
}): JSX.Element {
  const { row, content } = call
  const value = tickOf(call) ?? ''
  const isTicked = ticked.includes(value)
  if (content === undefined || isLong(content.input)) return <NotHere call={call} />
  return (
    <details class="card waits" data-row open={isTicked}>
      <summary>
        <Head call={call} gist={gistIn(call, content.input)} />
      </summary>
      <Body call={call} input={content.input} />
      {isTickable(call) && (
        <label class="tick">
          <input
            type="checkbox"
            name="call"
            value={value}
            checked={isTicked}
            autocomplete="off"
            aria-labelledby={`tick-${row.id} head-${row.id}`}
          />{' '}
          <span id={`tick-${row.id}`}>Decide this one with the buttons below</span>
        </label>
      )}
    </details>
  )
}

/** The first thing, with what says most of it, then what else the brief of the action names. */
function gistIn({ endpoint, told, things }: WaitingCall, input: Readonly<Record<string, unknown>>): string | undefined {
  const first = gistOf(told.things)
  const of = first === undefined ? undefined : told.things[0]?.of
  const others = endpoint && { ...endpoint, brief: endpoint.brief.filter((name) => name !== of) }
  const said = [first, inOneLine(others, input, things)].filter((one) => one !== undefined)
  return said.length === 0 ? undefined : said.join(' · ')
}

/** The box stands behind what would be sent, so that nothing is ticked that was not unfolded, with scripts or without. */
function Body({ call, input }: { readonly call: WaitingCall; readonly input: object }): JSX.Element {
  const { row, keyName, appName, equal, endpoint, things, changed, again, told } = call
  return (
    <>
      {again && <AskedAgain appName={appName} again={again} id={`again-${row.id}`} />}
      {endpoint && <p class="hint">{endpoint.summary}</p>}
      <p data-read>
        Asked by the API key{' '}
        <strong>
          <Text value={keyName} />
        </strong>
        , <Time at={row.created_at} />
      </p>
      <AgentSays why={call.why} />
      <Warnings equal={equal} input={input} changed={changed} off={call.off} />
      <ToldThings {...told} appName={appName} connectUrl={connectPath(row)} at={row.previewed_at} />
      {row.request === null && <NotYet row={row} appName={appName} />}
      <div data-read>
        <Known.Provider value={things}>
          <Fields value={input} schema={endpoint?.inputSchema} />
        </Known.Provider>
        <CallFiles row={row} files={call.files} />
        <FormLines lines={call.form} appName={appName} />
      </div>
      <p class="hint">
        {counted(row.credits, 'credit')} when done · <a href={`/confirm/${row.id}`}>on its own page</a>
      </p>
    </>
  )
}

/** Why there is no box to tick. */
function NotYet({ row, appName }: { readonly row: CallRow; readonly appName: string }): JSX.Element {
  return (
    <p class="notice">
      {row.waiting_for === 'reconnect' ? (
        <>
          It cannot be approved yet: you are signed out of {appName}.{' '}
          <a href={connectPath(row)}>Sign in to {appName} again</a>
        </>
      ) : (
        `It cannot be approved yet: Callgate is still asking ${appName} what is needed to show exactly what will be sent.`
      )}
    </p>
  )
}

/** What cannot be read here, and so not be decided here. */
function NotHere({ call }: { readonly call: WaitingCall }): JSX.Element {
  const { row, equal, content, changed } = call
  return (
    <article class="card">
      <Head call={call} />
      <Warnings equal={equal} input={undefined} changed={changed} off={call.off} />
      {content === undefined ? (
        <p class="notice bad">
          Callgate cannot open what would be sent, so it cannot be approved:{' '}
          <a href={`/confirm/${row.id}`}>take it back on its own page</a>.
        </p>
      ) : (
        <p class="notice">
          What would be sent is too long for this list:{' '}
          <a href={`/confirm/${row.id}`}>read it, and decide, on its own page</a>.
        </p>
      )}
    </article>
  )
}

function Head({ call, gist }: { readonly call: WaitingCall; readonly gist?: string | undefined }): JSX.Element {
  const { row, keyName, appName, endpoint, again } = call
  return (
    <>
      <span class="eyebrow">
        {appName} · <Text value={row.account_label} /> · <Text value={keyName} />
        {row.expires_at !== null && ` · ${inWords(row.expires_at.getTime() - Date.now())} left`}
        {again && ` · asked again, time ${again.round}`}
      </span>
      <h2 id={`head-${row.id}`}>
        {actionOf(endpoint, row.endpoint)}
        {gist !== undefined && (
          <span class="gist">
            <Text value={gist} />
          </span>
        )}
      </h2>
    </>
  )
}
