import type { JSX } from 'preact'
import type { NoticeView } from '../../core/notices/list.ts'
import { callStatuses } from '../../schemas/call.ts'
import { Text } from '../parts/text.tsx'
import { counted, Time } from '../parts/time.tsx'
import { resultWords } from './delivery-text.ts'
import { statusWords } from '../parts/dashboard.tsx'

const stateTags = {
  pending: ['tag warn', 'on its way'],
  delivered: ['tag good', 'delivered'],
  failed: ['tag bad', 'given up'],
  dropped: ['tag', 'not needed any more'],
} as const

/** Sent and pending notifications, newest first. */
export function NoticeList({ notices }: { readonly notices: readonly NoticeView[] }): JSX.Element {
  return (
    <ul class="accounts">
      {notices.map((notice) => (
        <Notice key={notice.id} notice={notice} />
      ))}
    </ul>
  )
}

function Notice({ notice }: { readonly notice: NoticeView }): JSX.Element {
  const { call_id: callId, created_at: at, state, tries, last_result: result, next_try_at: next } = notice
  const [tag, words] = stateTags[state]
  return (
    <li>
      <div class="row">
        {callId === null ? <span>A test</span> : <a href={`/calls/${callId}`}>{eventWords(notice)}</a>}
        <span class={tag}>{words}</span>
      </div>
      <p class="hint">
        <Time at={at} /> ·{' '}
        {notice.channel === 'email' ? 'email' : <Text value={notice.name ?? placeOf(notice.url ?? '')} />}
        {tries > 0 && ` · ${counted(tries, 'try', 'tries')}`}
        {result !== null && ` · ${resultWords(result)}`}
        {next !== null && (
          <>
            {' · next try '}
            <Time at={next} />
          </>
        )}
      </p>
    </li>
  )
}

/** Shortened URL, enough to recognise it. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  const place = `${host}${pathname}`
  return place.length > 60 ? `${place.slice(0, 59)}…` : place
}

function eventWords({ kind, status }: NoticeView): string {
  if (kind === 'call.waiting') return 'A call waits'
  const known = callStatuses.find((name) => name === status)
  return `A call has ended: ${known === undefined ? status : statusWords[known]}`
}
