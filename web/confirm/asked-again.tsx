import type { JSX } from 'preact'
import { mostRounds } from '../../core/approvals/second-look.ts'
import { LineName, LineValue } from '../parts/form-lines.tsx'
import type { ChangedLine } from '../parts/form-view.ts'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { ToldValue } from '../parts/told-things.tsx'
import type { ChangedThing } from './since.ts'

export interface AskedAgainView {
  /** Number of this approval round. */
  readonly round: number
  readonly approvedAt: Date
  readonly changes: readonly ChangedThing[]
  /** The connector was updated since and cannot send the call as it was approved. */
  readonly isUpdated: boolean
  /** Changed fields of the form to be sent. */
  readonly form: readonly ChangedLine[]
}

/** Shown first: the user approved this call before, and it has changed since. */
export function AskedAgain(props: {
  readonly appName: string
  readonly again: AskedAgainView
  readonly id?: string
}): JSX.Element {
  const { appName, again, id = 'again' } = props
  const { round, approvedAt, isUpdated, changes, form } = again
  const isSame = changes.length === 0 && form.length === 0
  return (
    <section class="notice warn again" aria-labelledby={id} data-read>
      <h2 id={id}>
        {isSame
          ? 'You are asked again'
          : form.length === 0 && changes.every(({ isGone }) => isGone)
            ? `It is gone in ${appName}`
            : `It has changed in ${appName}`}
      </h2>
      <p>
        You approved this on <Time at={approvedAt} />; since then{' '}
        {isUpdated ? `an operator has updated how Callgate talks to ${appName}` : `it has changed in ${appName}`}.
        Nothing was sent. This is time {round} of at most {mostRounds} that you are asked.
      </p>
      {changes.map(({ label, name, isGone, fields }, at) => (
        <div key={at}>
          <h3>
            {label}
            {name !== undefined && (
              <>
                {' '}
                <Text value={name} />
              </>
            )}
          </h3>
          {isGone && <p>It is not there any more.</p>}
          {fields.length > 0 && (
            <dl class="fields changes">
              {fields.map(({ before, after }) => (
                <div class="field" key={before.path}>
                  <dt>{before.label ?? <Text value={before.path} />}</dt>
                  <dd>
                    <div class="was">
                      <span class="hint">When you approved</span>
                      <ToldValue field={before} />
                    </div>
                    <div>
                      <span class="hint">Now</span>
                      <ToldValue field={after} />
                    </div>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      ))}
      {form.length > 0 && <FormChanges form={form} />}
      {isSame && <p>Compare what you saw with what it is now, then decide.</p>}
    </section>
  )
}

/** Form fields that changed: their values at approval and now. */
function FormChanges({ form }: Pick<AskedAgainView, 'form'>): JSX.Element {
  const sides = [
    ['before', 'When you approved', 'was'],
    ['after', 'Now', undefined],
  ] as const
  return (
    <dl class="fields changes">
      {form.map((changed) => {
        const line = changed.after ?? changed.before
        return (
          line && (
            <div class="field" key={line.name}>
              <dt>
                <LineName line={line} />
              </dt>
              <dd>
                {sides.map(([side, hint, style]) => (
                  <div class={style} key={side}>
                    <span class="hint">{hint}</span>
                    {changed[side] ? (
                      <LineValue line={line} values={changed[side].before} />
                    ) : (
                      <p class="empty">not in the form</p>
                    )}
                  </div>
                ))}
              </dd>
            </div>
          )
        )
      })}
    </dl>
  )
}
