import type { JSX } from 'preact'
import type { Quiet } from '../../core/notices/quiet.ts'
import type { Viewer } from '../parts/layout.tsx'
import { ActionForm } from '../parts/dashboard.tsx'

/** Form values as typed, with the error. */
export interface QuietForm {
  readonly from: string
  readonly to: string
  readonly zone: string
  readonly problem?: string
}

export function quietForm(quiet: Quiet | undefined): QuietForm {
  return quiet === undefined
    ? { from: '22:00', to: '07:00', zone: '' }
    : { from: clockOf(quiet.from_minute), to: clockOf(quiet.to_minute), zone: quiet.zone }
}

/** `07:30` as minutes after midnight. Undefined for other texts. */
export function minuteOf(text: string): number | undefined {
  const [, hour = '', minute = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hour === '' ? undefined : Number(hour) * 60 + Number(minute)
}

function clockOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

export function QuietHours(props: {
  readonly viewer: Viewer
  readonly on: boolean
  readonly form: QuietForm
}): JSX.Element {
  const { viewer, on, form } = props
  return (
    <section class="card" aria-labelledby="quiet">
      <div class="row">
        <h2 id="quiet">Quiet hours</h2>
        <span class={on ? 'tag good' : 'tag'}>{on ? 'on' : 'off'}</span>
      </div>
      <p class="hint">
        You get everything together when they end. Webhooks continue. A call with less time than that can expire before
        you hear of it.
      </p>
      <ActionForm viewer={viewer} action="/notices" label="Quiet hours" class="row">
        <label>
          From
          <input type="time" name="from" value={form.from} required />
        </label>
        <label>
          To
          <input type="time" name="to" value={form.to} required />
        </label>
        <label>
          Time zone
          <input
            type="text"
            name="zone"
            value={form.zone}
            required
            maxLength={60}
            placeholder="Europe/Vienna"
            autocomplete="off"
            spellcheck={false}
            data-zone
            aria-invalid={form.problem !== undefined}
            aria-describedby={form.problem === undefined ? undefined : 'quiet-problem'}
          />
        </label>
        <button class={on ? 'quiet' : 'primary'} type="submit" name="action" value="quiet-on">
          {on ? 'Save' : 'Turn on'}
        </button>
        {on && (
          <button class="quiet" type="submit" name="action" value="quiet-off" formnovalidate>
            No quiet hours
          </button>
        )}
      </ActionForm>
      {form.problem !== undefined && (
        <p class="problem" role="alert" id="quiet-problem">
          {form.problem}
        </p>
      )}
    </section>
  )
}
