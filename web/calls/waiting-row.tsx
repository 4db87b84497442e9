import type { JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import { AskedAgain } from '../confirm/asked-again.tsx'
import { Asker } from '../confirm/asker.tsx'
import { Consequences, SentenceLine } from '../confirm/sentence.tsx'
import { Unresolved } from '../confirm/unresolved.tsx'
import { CallFiles } from '../parts/call-files.tsx'
import { Warnings } from '../parts/call-warnings.tsx'
import { Text } from '../parts/text.tsx'
import { Known } from '../parts/things.ts'
import { counted, Left } from '../parts/time.tsx'
import { FormLines } from '../parts/form-lines.tsx'
import { ToldThings } from '../parts/told-things.tsx'
import { connectPath } from '../parts/told-view.ts'
import { Fields } from '../parts/value.tsx'
import { isTickable, onlyOnItsPage, tickOf } from './waiting-call.ts'
import type { WaitingCall } from './waiting-call.ts'

/** A call in the list, folded. */
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
  if (content === undefined || onlyOnItsPage(call) !== undefined) return <NotHere call={call} />
  return (
    <details class="waits" id={`row-${row.id}`} data-row open={isTicked}>
      <summary>
        <Head call={call} />
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

/** The checkbox follows the content, so that a call can only be ticked once it is unfolded. */
function Body({ call, input }: { readonly call: WaitingCall; readonly input: object }): JSX.Element {
  const { row, asking, appName, equal, endpoint, things, changed, again, told } = call
  return (
    <>
      <Consequences {...call.headline} />
      {again && <AskedAgain appName={appName} again={again} id={`again-${row.id}`} />}
      <Asker row={row} appName={appName} asking={asking} why={call.why} />
      <Unresolved riddles={call.riddles} appName={appName} />
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

/** Why there is no checkbox. */
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

/** A call that can only be read and decided on its own page. */
function NotHere({ call }: { readonly call: WaitingCall }): JSX.Element {
  const { row, equal, content, changed, appName } = call
  return (
    <article class="waits">
      <Head call={call} />
      <Warnings equal={equal} input={undefined} changed={changed} off={call.off} />
      {content === undefined ? (
        <p class="notice bad">
          Callgate cannot open what would be sent, so it cannot be approved:{' '}
          <a href={`/confirm/${row.id}`}>take it back on its own page</a>.
        </p>
      ) : (
        <p class="notice">
          {whyOnItsPage[onlyOnItsPage(call) ?? 'long'](appName)}{' '}
          <a href={`/confirm/${row.id}`}>read it, and decide, on its own page</a>.
        </p>
      )}
    </article>
  )
}

const whyOnItsPage = {
  illegible: () => 'It cannot be shown here:',
  passkey: () => 'Approving it needs your passkey:',
  added: (appName: string) => `An operator of this gateway added ${appName}, so the request itself is shown, too:`,
  long: () => 'What would be sent is too long for this list:',
}

function Head({ call }: { readonly call: WaitingCall }): JSX.Element {
  const { row, asking, appName, again, riddles } = call
  return (
    <>
      <h2 id={`head-${row.id}`}>
        <SentenceLine sentence={call.headline.sentence} />
      </h2>
      <span class="eyebrow">
        {row.expires_at !== null && <Left until={row.expires_at} />}
        {again && <strong class="problem"> · asked again, time {again.round}</strong>}
        {riddles.length > 0 && <strong class="problem"> · {counted(riddles.length, 'unknown id')}</strong>}
        {` · ${appName} · `}
        <Text value={row.account_label} /> · <Text value={asking.name} />
      </span>
    </>
  )
}
